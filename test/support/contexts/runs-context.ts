import { createHash } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { type Service, ServiceBroker } from "moleculer";
import { imageStore, type WithImages } from "../../../mixins/image-store.ts";
import { type WithQueue, workQueue } from "../../../mixins/work-queue.ts";
import { brokerOptions } from "../../../moleculer.config.ts";
import billing from "../../../services/billing/billing.service.ts";
import runs from "../../../services/runs/runs.service.ts";
import teams from "../../../services/teams/teams.service.ts";
import { writeIndex } from "../../../shared/archives/archive-index.ts";
import { loadConfig } from "../../../shared/config.ts";
import type { ActionName, Actions } from "../../../shared/contracts/actions.ts";
import { on, service } from "../../../shared/contracts/bus.ts";
import type { ImageStore } from "../../../shared/contracts/image-store.ts";
import type {
  CapturedScreenshot,
  CaptureJob,
  CompareJob,
  ResultJob,
} from "../../../shared/contracts/runs/jobs.ts";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import { type SubmittedRun, submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { enqueueResult, type WorkQueue } from "../../../shared/contracts/work-queue.ts";
import { newId } from "../../../shared/ids.ts";
import { TEST_KEY } from "../drivers/api-access.ts";
import { until } from "../drivers/until.ts";

export const caller: Caller = {
  teamId: "team_a",
  role: "admin",
  actor: { kind: "key", id: "key_a", name: "test" },
};

type Captured = CapturedScreenshot & { token: string };

/** Returns a renderer's result for a page whose pixels are this text. */
export function captured(runId: string, screenshotId: string, pixels: string, token = ""): Captured {
  const hash = createHash("sha256").update(pixels).digest("hex");
  const facts = { width: 10, height: 10, stable: true, moving: [], attempts: 1, cutFromHeight: null };
  return { runId, screenshotId, token, hash, ...facts, browser: "chromium 1", rendering: null, timings: {} };
}

/** The runs service on a real broker and database, with stand-ins for renderers and differs. */
export class RunsTestContext {
  readonly #broker: ServiceBroker;
  readonly #events = new EventEmitter();
  #queue: WorkQueue | null = null;
  #images: ImageStore | null = null;
  #archiveFiles: ImageStore | null = null;
  /** Ids of completed runs. */
  readonly completed: string[] = [];
  /** Events of canceled runs. */
  readonly stopped: object[] = [];
  /** Queued comparisons. */
  readonly compared: CompareJob[] = [];
  /** Handles comparisons in place of a differ. */
  compare: (job: CompareJob) => Promise<void> = async () => {};
  /** Handles capture jobs in place of a renderer. */
  render: (job: CaptureJob) => Promise<void> = async () => {};

  private constructor(env: Record<string, string>) {
    const config = loadConfig({ ...env, LOG_LEVEL: "fatal", SERVICE_BOOTSTRAP_KEY: TEST_KEY });
    this.#broker = new ServiceBroker(brokerOptions(config));
    for (const schema of [billing, teams, runs, this.#workers()]) this.#broker.createService(schema);
  }

  static async start(env: Record<string, string>): Promise<RunsTestContext> {
    const context = new RunsTestContext(env);
    await context.#broker.start();
    return context;
  }

  stop(): Promise<void> {
    return this.#broker.stop();
  }

  get queue(): WorkQueue {
    if (!this.#queue) throw new Error("The context has not started.");
    return this.#queue;
  }

  /** Stores what a renderer stores. @returns its hash */
  async store(content: string): Promise<string> {
    if (!this.#images) throw new Error("The context has not started.");
    return await this.#images.put(Buffer.from(content));
  }

  /** Stores an archive of these files, whose contents no test needs, for a project. @returns its id */
  async storeArchive(project: string, paths: readonly string[]): Promise<string> {
    if (!this.#archiveFiles) throw new Error("The context has not started.");
    const files = paths.map(path => ({
      path,
      bytes: 1,
      hash: createHash("sha256").update(path).digest("hex"),
    }));
    const id = await this.#archiveFiles.put(writeIndex(files).bytes);
    await this.ask("runs.recordArchive", { project, id });
    return id;
  }

  ask<N extends ActionName>(name: N, params: Actions[N]["params"], as = caller) {
    return this.#broker.call<Actions[N]["result"], Actions[N]["params"]>(name, params, {
      meta: { caller: as },
    });
  }

  /** Submits a run with this number of routes. */
  submit(project: string, count: number, as = caller): Promise<SubmittedRun> {
    const routes = Array.from({ length: count }, (_, index) => `/${index}`);
    const body = submitRunBody.parse({ url: "https://example.com", routes, project });
    return this.ask("runs.submit", { id: newId("run"), body }, as);
  }

  /** Waits until a run is completed, and returns it. */
  async ended(id: string): Promise<RunView> {
    while (!this.completed.includes(id)) await once(this.#events, "completed");
    return this.ask("runs.get", { id });
  }

  /** Returns a renderer that captures every page with these pixels. */
  reportAll(pixels: (url: string) => string): (job: CaptureJob) => Promise<void> {
    return async job => {
      for (const { id, token } of job.screenshots) {
        const result = captured(job.runId, id, pixels(job.url), token);
        await enqueueResult(this.queue, { kind: "captured", ...result });
      }
    };
  }

  /** Queues a result, and waits until it is handled. */
  async report(result: ResultJob): Promise<void> {
    await enqueueResult(this.queue, result);
    await this.whenHandled(result.runId);
  }

  /** Waits until all results of a run are handled. */
  whenHandled(runId: string): Promise<void> {
    return until(async () => (await this.queue.idsOf("result", runId)).size === 0);
  }

  #workers() {
    const context = this;
    return service<Service & WithQueue & WithImages>({
      name: "workers",
      mixins: [workQueue(), imageStore({ writes: true })],
      events: {
        "run.completed": on("run.completed", ({ runId }) => {
          context.completed.push(runId);
          context.#events.emit("completed");
        }),
        "run.stopped": on("run.stopped", run => void context.stopped.push(run)),
      },
      async started() {
        context.#queue = this.queue;
        context.#images = this.images;
        context.#archiveFiles = this.archiveFiles;
        const consumer = { concurrency: 2, maxAttempts: 3, fail: async () => {} };
        this.queue.consume("capture", { ...consumer, handle: job => context.render(job) });
        this.queue.consume("compare", {
          ...consumer,
          handle: async job => {
            context.compared.push(job);
            await context.compare(job);
          },
        });
      },
    });
  }
}
