import { createHash, randomBytes } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { type Service, ServiceBroker } from "moleculer";
import type { WithDatabase } from "../../../mixins/database.ts";
import { type WithQueue, workQueue } from "../../../mixins/work-queue.ts";
import { brokerOptions } from "../../../moleculer.config.ts";
import billing from "../../../services/billing/billing.service.ts";
import runs from "../../../services/runs/runs.service.ts";
import teams from "../../../services/teams/teams.service.ts";
import { hashKey } from "../../../shared/api-keys.ts";
import { loadConfig } from "../../../shared/config.ts";
import type { ActionName, Actions } from "../../../shared/contracts/actions.ts";
import { action, on, service } from "../../../shared/contracts/bus.ts";
import type { CaptureJob, CompareJob } from "../../../shared/contracts/runs/jobs.ts";
import type { Role } from "../../../shared/contracts/runs/runs.ts";
import type { ScreenshotView } from "../../../shared/contracts/runs/screenshots.ts";
import { type SubmitRunInput, submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import type { TeamSettings } from "../../../shared/contracts/teams/people.ts";
import type { OutgoingEvent } from "../../../shared/contracts/webhooks/events.ts";
import { enqueueResult } from "../../../shared/contracts/work-queue.ts";
import { DEFAULT_TEAM_ID, newId } from "../../../shared/ids.ts";
import { TEST_KEY } from "../drivers/api-access.ts";
import { jobPageName } from "../fixtures/sites/job-pages.ts";
import { addMemberRow } from "../rows/people-rows.ts";

/** Looks by route, or by page such as `/ › open (dark)`. `red/1` and `red/2` are different pixels of the same change, `red`. Null is a page that fails. */
type Looks = Record<string, string | null>;

interface Submission {
  project: string;
  looks: Looks;
  pr?: number;
  as?: Caller;
  /** Further fields of the body. */
  more?: Partial<SubmitRunInput>;
  scm?: Partial<NonNullable<SubmitRunInput["scm"]>>;
}

/** Returns a user of the team. */
export const person = (name: string, role: Role = "reviewer"): Caller => ({
  teamId: DEFAULT_TEAM_ID,
  role,
  actor: { kind: "user", id: `user_${name}`, name },
});

/** Returns an API key of the team, created by this user or by none. */
export const keyOf = (name: string, madeBy?: string): Caller => ({
  teamId: DEFAULT_TEAM_ID,
  role: "reviewer",
  actor: { kind: "key", id: `key_${name}`, name },
  ...(madeBy !== undefined && { madeBy: `user_${madeBy}` }),
});

/** Runs and teams on a real broker and database, with stand-ins for the renderer and the differ. */
export class ReviewTestContext {
  readonly #broker: ServiceBroker;
  readonly #completed = new Set<string>();
  readonly #pendingEvents = new EventEmitter();
  #looks: Looks = {};
  /** Called before a comparison is reported. */
  beforeComparing: () => Promise<void> = async () => {};
  /** Events for webhooks, as the alerts service would queue them. */
  readonly published: OutgoingEvent[] = [];
  /** Called before events are accepted. Throws if the alerts service is unavailable. */
  beforePublishing: (events: OutgoingEvent[]) => void = () => {};

  private constructor(env: Record<string, string>) {
    const config = loadConfig({ ...env, LOG_LEVEL: "fatal", SERVICE_BOOTSTRAP_KEY: TEST_KEY });
    this.#broker = new ServiceBroker(brokerOptions(config));
    for (const schema of [billing, teams, runs]) this.#broker.createService(schema);
    this.#broker.createService(this.#renderer());
    this.#broker.createService(this.#alerts());
  }

  static async start(env: Record<string, string>): Promise<ReviewTestContext> {
    const context = new ReviewTestContext(env);
    await context.#broker.start();
    return context;
  }

  /** Makes people members of the team who signed in before. */
  async addMembers(...people: Caller[]): Promise<void> {
    const [teamsNode] = this.#broker.services.filter(({ name }) => name === "teams");
    // biome-ignore lint/plugin: the broker knows only plain services.
    const { em } = teamsNode as unknown as WithDatabase;
    for (const { teamId, role, actor } of people) {
      const user = { id: actor.id, login: actor.name, email: `${actor.name}@example.com`, role };
      await addMemberRow(em.call(teamsNode), teamId, user);
    }
  }

  stop(): Promise<void> {
    return this.#broker.stop();
  }

  ask<N extends ActionName>(name: N, params: Actions[N]["params"], caller = person("ada")) {
    return this.#broker.call<Actions[N]["result"], Actions[N]["params"]>(name, params, { meta: { caller } });
  }

  /** Changes the team's review settings. */
  async set(settings: Partial<TeamSettings>): Promise<void> {
    const identity = await this.ask("teams.authenticate", { keyHash: hashKey(TEST_KEY) });
    if (!identity) throw new Error("There is no bootstrap key.");
    const caller: Caller = { teamId: DEFAULT_TEAM_ID, role: "admin", actor: identity.actor };
    const before = { requiredApprovals: 1, allowSelfApproval: true };
    await this.ask("teams.change", { ...before, ...settings }, caller);
  }

  /** Submits these looks, and waits for the end of the run. @returns the run's id */
  async run({ project, looks, pr, as, more, scm: given }: Submission): Promise<string> {
    this.#looks = looks;
    const sha = randomBytes(20).toString("hex");
    const commit = { owner: "acme", repo: "shop", sha, ...(pr !== undefined && { pr }) };
    const scm = pr === undefined && !given ? undefined : { ...commit, ...given };
    const body = submitRunBody.parse({
      url: "https://example.com",
      routes: Object.keys(looks),
      project,
      threshold: 0,
      partial: true,
      ...(scm && { scm }),
      ...more,
    });
    const { id } = await this.ask("runs.submit", { id: newId("run"), body }, as);
    return this.completed(id);
  }

  /** Waits for the end of a run. @returns its id */
  async completed(id: string): Promise<string> {
    while (!this.#completed.has(id)) await once(this.#pendingEvents, "completed");
    return id;
  }

  async conclusion(id: string): Promise<string | null> {
    return (await this.ask("runs.get", { id })).conclusion;
  }

  async screenshots(runId: string): Promise<ScreenshotView[]> {
    return (await this.ask("runs.screenshots", { runId, query: { limit: 100 } })).data;
  }

  /** Returns the run's first screenshot. */
  async screenshot(runId: string): Promise<ScreenshotView> {
    const [first] = await this.screenshots(runId);
    if (!first) throw new Error(`${runId} has no screenshots.`);
    return first;
  }

  #alerts() {
    return service<Service>({
      name: "alerts",
      actions: {
        publish: action("alerts.publish", async ({ events }) => {
          this.beforePublishing(events);
          const known = new Set(this.published.map(({ id }) => id));
          this.published.push(...events.filter(({ id }) => !known.has(id)));
          return null;
        }),
      },
    });
  }

  #renderer() {
    const context = this;
    return service<Service & WithQueue>({
      name: "other-end",
      mixins: [workQueue()],
      events: {
        "run.completed": on("run.completed", ({ runId }) => {
          context.#completed.add(runId);
          context.#pendingEvents.emit("completed");
        }),
      },
      async started() {
        const { queue } = this;
        const consumer = { concurrency: 4, maxAttempts: 3, fail: async () => {} };
        const changes = new Map<string, string>();
        const render = async (job: CaptureJob) => {
          for (const screenshot of job.screenshots) {
            const { id: screenshotId, token } = screenshot;
            const fields = { runId: job.runId, screenshotId, token };
            const ofRoute = context.#looks[new URL(job.url).pathname] ?? null;
            const look = context.#looks[jobPageName(job, screenshot)] ?? ofRoute;
            if (look === null) {
              const failure = { kind: "failed", stage: "capture", reason: "It is not there." } as const;
              await enqueueResult(queue, { ...failure, ...fields });
              continue;
            }
            const hash = createHash("sha256").update(look).digest("hex");
            changes.set(hash, look.split("/")[0] ?? "");
            const facts = {
              width: 10,
              height: 10,
              stable: true,
              moving: [],
              attempts: 1,
              cutFromHeight: null,
            };
            const capture = {
              ...fields,
              hash,
              ...facts,
              browser: "chromium 1",
              rendering: null,
              timings: { load: 12.6 },
            };
            await enqueueResult(queue, { kind: "captured", ...capture });
          }
        };
        const compare = async (job: CompareJob) => {
          await context.beforeComparing();
          const fingerprint = changes.get(job.currentHash) ?? null;
          const found = { diffPixels: 3, diffRatio: 0.03, regions: [], fingerprint, maskHash: null };
          await enqueueResult(queue, { kind: "compared", ...job, ...found });
        };
        queue.consume("capture", { ...consumer, handle: render });
        queue.consume("compare", { ...consumer, handle: compare });
      },
    });
  }
}
