import assert from "node:assert/strict";
import { JetStreamQueue } from "../../../../mixins/queue/jetstream-queue.ts";
import type { CompareJob } from "../../../../shared/contracts/runs/jobs.ts";
import type { Consumer, QueueLoad, WorkQueue } from "../../../../shared/contracts/work-queue.ts";
import { until } from "../../drivers/until.ts";

/** A running job, which ends when the test ends it. */
interface StartedJob {
  id: string;
  job: CompareJob;
  signal: AbortSignal;
  end(error?: Error): void;
}

/** A node with a queue, and the jobs that it started. */
export class QueueNode {
  readonly queue: WorkQueue;
  readonly started: StartedJob[] = [];
  readonly failed: [id: string, reason: string][] = [];

  constructor(queue: WorkQueue) {
    this.queue = queue;
  }

  /** Consumes jobs. They run until the test ends them. */
  consume(options: Partial<Consumer<"compare">> = {}): this {
    this.queue.consume("compare", {
      concurrency: 1,
      maxAttempts: 3,
      handle: (job, signal) =>
        new Promise((resolve, reject) => {
          const end = (error?: Error) => (error ? reject(error) : resolve());
          this.started.push({ id: job.screenshotId, job, signal, end });
        }),
      fail: async ({ screenshotId }, reason) => void this.failed.push([screenshotId, reason.message]),
      ...options,
    });
    return this;
  }

  add(id: string, { fairKey = "run", attempt = 1, text = "old" } = {}): Promise<void> {
    const job = { runId: fairKey, screenshotId: id, baselineHash: text, currentHash: "new", token: "" };
    return this.queue.enqueue("compare", job, { id, fairKey, attempt });
  }

  /** Waits for the nth job that was started here, from 0. */
  async nth(index: number): Promise<StartedJob> {
    await until(() => this.started.length > index);
    const started = this.started[index];
    assert.ok(started);
    return started;
  }

  get ids(): string[] {
    return this.started.map(({ id }) => id);
  }

  async load(): Promise<QueueLoad> {
    const load = (await this.queue.load()).find(({ queue }) => queue === "compare");
    assert.ok(load);
    return load;
  }

  /** Waits until no job is left on any node. */
  async done(): Promise<void> {
    await until(async () => {
      const { waiting, underWay } = await this.load();
      return waiting + underWay === 0;
    });
  }

  /** Ends the running jobs, and stops. */
  async close(): Promise<void> {
    for (const { end } of this.started) end();
    await this.queue.stop();
  }
}

/** A node of a cluster. */
export class JetStreamNode extends QueueNode {
  /** Its log messages. */
  readonly logged: string[];
  readonly #queue: JetStreamQueue;

  constructor(url: string, { stopTimeoutMs = 8_000, replicas = 1, name = "test" } = {}) {
    const logged: string[] = [];
    const say = (message: string) => void logged.push(message);
    const log = { info: say, warn: say };
    const queue = new JetStreamQueue({ addresses: [url], replicas, name, log, stopTimeoutMs });
    super(queue);
    this.#queue = queue;
    this.logged = logged;
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#queue.close();
  }
}
