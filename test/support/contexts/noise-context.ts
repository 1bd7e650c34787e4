import { randomBytes } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { type Service, ServiceBroker } from "moleculer";
import { imageStore, type WithImages } from "../../../mixins/image-store.ts";
import { type WithQueue, workQueue } from "../../../mixins/work-queue.ts";
import { brokerOptions } from "../../../moleculer.config.ts";
import billing from "../../../services/billing/billing.service.ts";
import differ from "../../../services/differ/differ.service.ts";
import runs from "../../../services/runs/runs.service.ts";
import type { RunsContext } from "../../../services/runs/runs-context.ts";
import teams from "../../../services/teams/teams.service.ts";
import type { Region } from "../../../shared/compare/comparison.ts";
import { loadConfig } from "../../../shared/config.ts";
import type { ActionName, Actions } from "../../../shared/contracts/actions.ts";
import { action, on, service } from "../../../shared/contracts/bus.ts";
import type { Noted } from "../../../shared/contracts/events.ts";
import type { CaptureJob } from "../../../shared/contracts/runs/jobs.ts";
import type { Role } from "../../../shared/contracts/runs/runs.ts";
import type { ScreenshotView } from "../../../shared/contracts/runs/screenshots.ts";
import { type SubmitRunInput, submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { enqueueResult } from "../../../shared/contracts/work-queue.ts";
import { DEFAULT_TEAM_ID, newId } from "../../../shared/ids.ts";
import { TEST_KEY } from "../drivers/api-access.ts";
import { encodePng } from "../fixtures/png.ts";
import { jobPageName } from "../fixtures/sites/job-pages.ts";

/** The look of a page: the shade of each region, on white. */
export interface Look {
  clock: number;
  price?: number;
  stable?: boolean;
  /** Regions that differed within the capture. */
  movingRegions?: Region[];
}

export const PAGE = { width: 400, height: 300 };
export const CLOCK: Region = { x: 300, y: 10, width: 60, height: 20 };
export const PRICE: Region = { x: 20, y: 200, width: 80, height: 30 };

/** Runs, billing, teams, and differ on a real broker, database, and image store, with a stand-in for the renderer. */
export class NoiseTestContext {
  readonly #broker: ServiceBroker;
  readonly #ended = new Set<string>();
  readonly #pendingEvents = new EventEmitter();
  #node: RunsContext | null = null;
  /** Looks by route, or by page such as `/ › open (dark)`. */
  looks: Record<string, Look> = {};
  /** Capture jobs, in order. */
  readonly captures: CaptureJob[] = [];
  /** Runs that were reported as completed to the other services. */
  readonly completed: string[] = [];
  readonly noted: Noted[] = [];

  constructor(env: Record<string, string>) {
    const config = loadConfig({ ...env, LOG_LEVEL: "fatal", SERVICE_BOOTSTRAP_KEY: TEST_KEY });
    this.#broker = new ServiceBroker(brokerOptions(config));
    const context = this;
    for (const schema of [billing, teams, differ]) this.#broker.createService(schema);
    this.#broker.createService(
      service<Service & { context: RunsContext; stopTasks?: () => Promise<void> }>({
        name: "runs",
        mixins: [runs],
        async started() {
          context.#node = this.context;
          await this.stopTasks?.();
        },
      }),
    );
    const count = action("monitors.count", async () => 0);
    this.#broker.createService({ name: "monitors", actions: { count } });
    this.#broker.createService(this.#renderer());
  }

  static async start(env: Record<string, string>): Promise<NoiseTestContext> {
    const context = new NoiseTestContext(env);
    await context.#broker.start();
    return context;
  }

  /** The runs service's dependencies. Its periodic tasks don't run: tests call them. */
  get node(): RunsContext {
    if (!this.#node) throw new Error("The context has not started.");
    return this.#node;
  }

  stop(): Promise<void> {
    return this.#broker.stop();
  }

  ask<N extends ActionName>(name: N, params: Actions[N]["params"], role: Role = "reviewer") {
    const caller: Caller = {
      teamId: DEFAULT_TEAM_ID,
      role,
      actor: { kind: "user", id: "user_ada", name: "ada" },
    };
    return this.#broker.call<Actions[N]["result"], Actions[N]["params"]>(name, params, { meta: { caller } });
  }

  /** Submits these looks, and waits for the end of the run. @returns the run's id */
  async run(
    project: string,
    looks: Record<string, Look>,
    more: Partial<SubmitRunInput> = {},
  ): Promise<string> {
    this.looks = looks;
    const body = submitRunBody.parse({
      url: "https://example.com",
      routes: Object.keys(looks),
      viewports: [PAGE.width],
      project,
      threshold: 0,
      partial: true,
      ...more,
    });
    const { id } = await this.ask("runs.submit", { id: newId("run"), body });
    await this.ended(id);
    return id;
  }

  /** Waits for a run to end. */
  async ended(id: string): Promise<void> {
    while (!this.#ended.has(id)) await once(this.#pendingEvents, "ended");
  }

  /** Returns the run's first screenshot. */
  async screenshot(runId: string): Promise<ScreenshotView> {
    const { data } = await this.ask("runs.screenshots", { runId, query: { limit: 10 } });
    if (!data[0]) throw new Error(`${runId} has no screenshots.`);
    return data[0];
  }

  #renderer() {
    const context = this;
    return service<Service & WithQueue & WithImages>({
      name: "other-end",
      mixins: [workQueue(), imageStore({ writes: true })],
      events: {
        "run.progressed": on("run.progressed", ({ id, status }) => {
          if (status !== "completed" && status !== "failed") return;
          context.#ended.add(id);
          context.#pendingEvents.emit("ended");
        }),
        "run.completed": on("run.completed", ({ runId }) => {
          context.completed.push(runId);
        }),
        "activity.noted": on("activity.noted", noted => {
          context.noted.push(noted);
        }),
      },
      async started() {
        const { queue, images } = this;
        const handle = async (job: CaptureJob) => {
          context.captures.push(job);
          for (const screenshot of job.screenshots) {
            const { id: screenshotId, token } = screenshot;
            const look =
              context.looks[jobPageName(job, screenshot)] ?? context.looks[new URL(job.url).pathname];
            const fields = { runId: job.runId, screenshotId, token };
            if (!look) {
              const reason = "The page is not there.";
              await enqueueResult(queue, { kind: "failed", stage: "capture", reason, ...fields });
              continue;
            }
            const hash = await images.put(draw(look));
            const facts = {
              ...PAGE,
              stable: look.stable ?? true,
              moving: [],
              ...(look.movingRegions && { movingRegions: look.movingRegions }),
              attempts: 1,
              cutFromHeight: null,
            };
            const rest = { browser: "chromium 1", rendering: null, timings: { load: 1 } };
            await enqueueResult(queue, { kind: "captured", ...fields, hash, ...facts, ...rest });
          }
        };
        queue.consume("capture", { concurrency: 2, maxAttempts: 3, handle, fail: async () => {} });
      },
    });
  }
}

/** Returns a new commit. */
export function newSha(): string {
  return randomBytes(20).toString("hex");
}

function draw({ clock, price = 0 }: Look): Buffer {
  const { width, height } = PAGE;
  const data = new Uint8Array(width * height * 4).fill(255);
  for (const [region, shade] of [[CLOCK, clock] as const, [PRICE, price] as const]) {
    for (let y = region.y; y < region.y + region.height; y++) {
      for (let x = region.x; x < region.x + region.width; x++)
        data.fill(shade, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  }
  return encodePng({ width, height, data });
}
