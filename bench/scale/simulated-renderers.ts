import { setTimeout as delay } from "node:timers/promises";
import { ServiceBroker } from "moleculer";
import { JetStreamQueue } from "../../mixins/queue/jetstream-queue.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import { loadConfig } from "../../shared/config.ts";
import type { CaptureJob } from "../../shared/contracts/runs/jobs.ts";
import { enqueueResult } from "../../shared/contracts/work-queue.ts";

/** Time of a capture of an unchanged page, as `warm-run` measures it on the slower half of pages. */
const CAPTURE_MS = 400;
/** One page of ten changed. */
const CHANGED_EVERY = 10;

/** Images that were captured before, by hash, in the image store. */
export interface RecordedImages {
  usual: string;
  changed: string;
  width: number;
  height: number;
}

interface Fleet {
  natsUrl: string;
  nodes: number;
  /** Pages that each node captures at the same time. */
  concurrency: number;
  images: RecordedImages;
}

/**
 * Renderers without browsers. Each has its own connection to NATS and takes real capture jobs. After the time of a
 * capture, it reports recorded images by real results. One node on the bus announces the capacity of all.
 */
export class SimulatedRenderers {
  readonly #queues: JetStreamQueue[];
  readonly #broker: ServiceBroker;

  private constructor(queues: JetStreamQueue[], broker: ServiceBroker) {
    this.#queues = queues;
    this.#broker = broker;
  }

  static async start({ natsUrl, nodes, concurrency, images }: Fleet): Promise<SimulatedRenderers> {
    const env = { NATS_URL: natsUrl, SERVICES: "renderer", IMAGE_STORE_URL: "file:///tmp/none" };
    const options = brokerOptions(loadConfig({ ...env, LOG_LEVEL: "fatal" }));
    const broker = new ServiceBroker({
      ...options,
      metadata: { ...options.metadata, renderConcurrency: nodes * concurrency },
    });
    await broker.start();
    const log = { info: () => {}, warn: (message: string) => console.warn(message) };
    const queues = Array.from({ length: nodes }, (_, index) => {
      const queue = new JetStreamQueue({
        addresses: [natsUrl],
        replicas: 1,
        name: `simulated-${index}`,
        log,
        isWorker: true,
      });
      queue.consume("capture", {
        concurrency,
        maxAttempts: 3,
        handle: job => capture(queue, job, images),
        fail: async (_, reason) => console.error(reason),
      });
      return queue;
    });
    return new SimulatedRenderers(queues, broker);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#queues.map(queue => queue.close()));
    await this.#broker.stop();
  }
}

async function capture(queue: JetStreamQueue, job: CaptureJob, images: RecordedImages): Promise<void> {
  const [first] = job.screenshots;
  if (first)
    await enqueueResult(queue, {
      kind: "started",
      runId: job.runId,
      screenshotId: first.id,
      token: first.token,
    });
  for (const { id, token, baselineHash } of job.screenshots) {
    await delay(CAPTURE_MS);
    const { width, height } = images;
    await enqueueResult(queue, {
      kind: "captured",
      runId: job.runId,
      screenshotId: id,
      token,
      hash: baselineHash !== null && isChanged(job.url) ? images.changed : images.usual,
      ...{ width, height, stable: true, moving: [], attempts: 1, cutFromHeight: null },
      ...{
        browser: "chromium",
        rendering: job.rendering,
        heldMs: CAPTURE_MS,
        timings: { total: CAPTURE_MS },
      },
    });
  }
}

/** Returns whether it is the last page of ten. */
function isChanged(url: string): boolean {
  return Number(/\/(\d+)$/.exec(url)?.[1] ?? 0) % CHANGED_EVERY === CHANGED_EVERY - 1;
}
