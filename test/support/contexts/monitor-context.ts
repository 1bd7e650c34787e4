import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type Service, ServiceBroker } from "moleculer";
import { type WithQueue, workQueue } from "../../../mixins/work-queue.ts";
import { brokerOptions } from "../../../moleculer.config.ts";
import { PLANS } from "../../../services/billing/plans.ts";
import { submitConfirmations } from "../../../services/monitors/checks/submit-check.ts";
import monitors from "../../../services/monitors/monitors.service.ts";
import type { MonitorsContext } from "../../../services/monitors/monitors-context.ts";
import { RenderingFleet } from "../../../services/runs/capture/rendering-fleet.ts";
import runs from "../../../services/runs/runs.service.ts";
import type { RunsContext } from "../../../services/runs/runs-context.ts";
import { listRenderers, type Renderer } from "../../../shared/broker/renderers.ts";
import { loadConfig } from "../../../shared/config.ts";
import type { ActionName, Actions } from "../../../shared/contracts/actions.ts";
import type { Plan } from "../../../shared/contracts/billing/usage.ts";
import { action, on, service } from "../../../shared/contracts/bus.ts";
import type { Noted } from "../../../shared/contracts/events.ts";
import type { CheckView } from "../../../shared/contracts/monitors/checks.ts";
import {
  type CreateMonitorInput,
  createMonitorBody,
  type MonitorView,
} from "../../../shared/contracts/monitors/monitors.ts";
import type { CaptureJob, CompareJob } from "../../../shared/contracts/runs/jobs.ts";
import type { Role } from "../../../shared/contracts/runs/runs.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import type { WorkQueue } from "../../../shared/contracts/work-queue.ts";
import { enqueueResult } from "../../../shared/contracts/work-queue.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import { DEFAULT_LINK_SETTINGS } from "../../../shared/links/link-rules.ts";
import { startPeriodicTasks } from "../../../shared/periodic-task.ts";
import type { TestDatabase } from "../databases/databases.ts";
import { until } from "../drivers/until.ts";
import { AlertsRecorder } from "../fakes/alerts-recorder.ts";
import { jobPageName } from "../fixtures/sites/job-pages.ts";

/** The content of a page, or why it can't be captured and what caused that. */
type Shown = string | { blame: "page" | "service"; reason: string };
/** Returns the content after an action that happens during the capture. */
type ShownAfter = () => Promise<Shown>;

/**
 * The monitors and runs services on a real broker and database. Renderers, differs, plans and alerts are fakes.
 */
export class MonitorTestContext {
  readonly broker: ServiceBroker;
  readonly alerts = new AlertsRecorder();
  /** The plan of each team. Default: business. */
  readonly plans = new Map<string, Plan>();
  /** Teams that were deleted and can be restored. */
  readonly closed = new Set<string>();
  /** Teams that were deleted for good. */
  readonly gone = new Set<string>();
  /** Teams whose runs are refused. */
  readonly overLimit = new Set<string>();
  /** Whether the billing service fails. */
  isBillingAway = false;
  /** Contents of pages by `origin/path@viewport`, or `origin/path › state (environment)@viewport`, one per capture. The last one stays. */
  readonly shows = new Map<string, (Shown | ShownAfter)[]>();
  /** Fingerprint of the renderer. Null if it was not measured. */
  rendering: string | null = null;
  /** Regions that have a renderer. */
  readonly regions = new Set<string>();
  /** How many pixels comparisons find with a slightly different color, instead of changed ones. */
  faintPixels = 0;
  /** The response time of all pages. Null if it was not measured. */
  responseMs: number | null = null;
  /** Recorded team activity. */
  readonly noted: Noted[] = [];
  /** Captured pages as `route@viewport`, or `route › state (environment)@viewport`, in order. */
  readonly rendered: string[] = [];
  /** Their capture options, in the same order. */
  readonly captureOptions: CaptureJob["options"][] = [];
  /** Whether they were captured in fresh contexts, in the same order. */
  readonly freshContexts: boolean[] = [];
  /** Runs that were counted as usage. */
  readonly counted: string[] = [];
  /** Resolves when captures may continue. */
  #held = Promise.withResolvers<void>();
  #monitors: MonitorsContext | null = null;
  #runs: RunsContext | null = null;
  #stopTasks = async () => {};
  #confirming = async () => {};
  #teams = 0;

  constructor(made: TestDatabase) {
    this.#held.resolve();
    const config = loadConfig({ ...made.env, SERVICE_ALLOW_HOSTS: "localhost", LOG_LEVEL: "fatal" });
    this.broker = new ServiceBroker(brokerOptions(config));
    const context = this;
    this.broker.createService(this.alerts.schema);
    this.broker.createService(
      service<Service & { context: RunsContext }>({
        name: "runs",
        mixins: [runs],
        async started() {
          this.context.fleet = context.#fleet();
          context.#runs = this.context;
        },
      }),
    );
    this.broker.createService(this.#billing());
    this.broker.createService(this.#teamsService());
    this.broker.createService(this.#workers());
    this.broker.createService(
      service<Service & { context: MonitorsContext; stopTasks?: () => Promise<void> }>({
        name: "monitors",
        mixins: [monitors],
        async started() {
          context.#monitors = this.context;
          context.#stopTasks = async () => this.stopTasks?.();
        },
      }),
    );
  }

  /**
   * Starts the services. Tests run the periodic tasks themselves. Only confirmation runs are submitted without a
   * delay, unless a test sets another `confirmAfterMs`.
   */
  static async start(made: TestDatabase): Promise<MonitorTestContext> {
    const context = new MonitorTestContext(made);
    await context.broker.start();
    await context.#stopTasks();
    context.monitors.confirmAfterMs = 0;
    context.#confirming = startPeriodicTasks(
      [{ intervalMs: 20, work: () => submitConfirmations(context.monitors), failed: "Not confirmed" }],
      context.monitors.warn,
    );
    return context;
  }

  get monitors(): MonitorsContext {
    if (!this.#monitors) throw new Error("The test context has not started.");
    return this.#monitors;
  }

  get runs(): RunsContext {
    if (!this.#runs) throw new Error("The test context has not started.");
    return this.#runs;
  }

  /** Returns the renderers: this node, and one of each region. */
  #fleet(): RenderingFleet {
    const inRegion = (region: string): Renderer => ({ nodeId: region, capacity: 4, rendering: null, region });
    return new RenderingFleet({
      ...{ graceMs: 0, regionGraceMs: 0, warn: () => {} },
      renderers: () => [...listRenderers(this.broker), ...[...this.regions].map(inRegion)],
    });
  }

  /** Returns a caller in a new team. */
  team(plan: keyof typeof PLANS = "business", role: Role = "admin"): Caller {
    this.#teams += 1;
    const teamId = `team_${this.#teams}`;
    this.plans.set(teamId, PLANS[plan]);
    return { teamId, role, actor: { kind: "key", id: "key_a", name: "test" } };
  }

  ask<N extends ActionName>(
    name: N,
    params: Actions[N]["params"],
    caller: Caller,
  ): Promise<Actions[N]["result"]> {
    return this.broker.call<Actions[N]["result"], Actions[N]["params"]>(name, params, { meta: { caller } });
  }

  create(caller: Caller, body: Partial<CreateMonitorInput> = {}): Promise<MonitorView> {
    const whole = createMonitorBody.parse({ name: "Home", url: "https://example.com", ...body });
    return this.ask("monitors.create", { id: newId("mon"), body: whole }, caller);
  }

  get(caller: Caller, id: string): Promise<MonitorView> {
    return this.ask("monitors.get", { id }, caller);
  }

  /** Starts a check by hand, and waits for its end. */
  async check(caller: Caller, id: string): Promise<CheckView> {
    const { id: checkId } = await this.ask("monitors.run", { id, checkId: newId("chk") }, caller);
    return this.ended(caller, id, checkId);
  }

  async ended(caller: Caller, id: string, checkId: string): Promise<CheckView> {
    let found: CheckView | undefined;
    await until(async () => {
      const { data } = await this.ask("monitors.history", { id, query: { limit: 100 } }, caller);
      found = data.find(check => check.id === checkId);
      return found?.endedAt != null;
    });
    assert.ok(found);
    return found;
  }

  /** Makes captures wait. @returns a function that lets them continue */
  hold(): () => void {
    this.#held = Promise.withResolvers();
    return () => this.#held.resolve();
  }

  sql<Row extends object>(statement: string, params: unknown[] = []): Promise<Row[]> {
    return this.monitors.em().execute(statement, params);
  }

  #billing() {
    return service<Service>({
      name: "billing",
      actions: {
        plan: action("billing.plan", async ({ teamId }) => {
          if (this.isBillingAway) throw new Error("No plans today.");
          return this.plans.get(teamId) ?? PLANS.business;
        }),
        take: action("billing.take", async ({ teamId, runId }) => {
          if (this.overLimit.has(teamId)) throw new ServiceError("plan_limit_exceeded", "No runs are left.");
          this.counted.push(runId);
          return null;
        }),
        giveBack: action("billing.giveBack", async () => null),
      },
    });
  }

  #teamsService() {
    return service<Service>({
      name: "teams",
      actions: {
        isOpen: action("teams.isOpen", async ({ teamId }) => !this.closed.has(teamId)),
        existing: action("teams.existing", async ({ ids }) => ids.filter(id => !this.gone.has(id))),
        linkSettings: action("teams.linkSettings", async () => DEFAULT_LINK_SETTINGS),
        settings: action("teams.settings", async () => ({ requiredApprovals: 1, allowSelfApproval: true })),
      },
    });
  }

  #workers() {
    const context = this;
    return service<Service & WithQueue>({
      name: "workers",
      mixins: [workQueue()],
      // Makes the event known to the bus.
      events: { "activity.noted": on("activity.noted", noted => void this.noted.push(noted)) },
      async started() {
        const { queue } = this;
        const common = { concurrency: 4, maxAttempts: 3, fail: async () => {} };
        queue.consume("capture", { ...common, handle: job => context.#render(queue, job) });
        queue.consume("compare", { ...common, handle: job => context.#compare(queue, job) });
      },
    });
  }

  async #render(queue: WorkQueue, job: CaptureJob): Promise<void> {
    await this.#held.promise;
    const { origin } = new URL(job.url);
    for (const screenshot of job.screenshots) {
      const { id: screenshotId, viewport, token } = screenshot;
      const page = `${jobPageName(job, screenshot)}@${viewport}`;
      this.rendered.push(page);
      this.captureOptions.push(job.options);
      this.freshContexts.push(job.isFresh ?? false);
      const list = this.shows.get(`${origin}${page}`) ?? ["as ever"];
      const next = (list.length > 1 ? list.shift() : list[0]) ?? "as ever";
      const shown = typeof next === "function" ? await next() : next;
      const about = { runId: job.runId, screenshotId, token };
      if (typeof shown !== "string") {
        await enqueueResult(queue, { kind: "failed", ...about, stage: "capture", ...shown });
        continue;
      }
      const hash = createHash("sha256").update(shown).digest("hex");
      const facts = { width: 10, height: 10, stable: true, moving: [], attempts: 1, cutFromHeight: null };
      const taken = { ...about, hash, ...facts, browser: "b", rendering: this.rendering };
      const timings: Record<string, number> = this.responseMs === null ? {} : { response: this.responseMs };
      await enqueueResult(queue, { kind: "captured", ...taken, timings });
    }
  }

  /** Finds a difference of 25% in every comparison, unless a test sets faint pixels. */
  async #compare(queue: WorkQueue, job: CompareJob): Promise<void> {
    const { faintPixels } = this;
    const share =
      faintPixels > 0 ? { diffPixels: 0, diffRatio: 0, faintPixels } : { diffPixels: 25, diffRatio: 0.25 };
    const found = { ...share, regions: [], fingerprint: "f", maskHash: null };
    await enqueueResult(queue, { kind: "compared", ...job, ...found });
  }

  async stop(): Promise<void> {
    await this.#confirming();
    await this.broker.stop();
  }
}
