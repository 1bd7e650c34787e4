import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, beforeEach, describe, it } from "mocha";
import { type Service, ServiceBroker } from "moleculer";
import { type WithQueue, workQueue } from "../../../mixins/work-queue.ts";
import { brokerOptions } from "../../../moleculer.config.ts";
import billing from "../../../services/billing/billing.service.ts";
import { advanceRuns } from "../../../services/runs/capture/advance-runs.ts";
import { moveRun } from "../../../services/runs/capture/rendering.store.ts";
import { submitNullReruns } from "../../../services/runs/noise/submit-null-reruns.ts";
import runs from "../../../services/runs/runs.service.ts";
import type { RunsContext } from "../../../services/runs/runs-context.ts";
import teams from "../../../services/teams/teams.service.ts";
import { announceRendering } from "../../../shared/broker/renderers.ts";
import { loadConfig } from "../../../shared/config.ts";
import type { ActionName, Actions } from "../../../shared/contracts/actions.ts";
import { service } from "../../../shared/contracts/bus.ts";
import type { RenderingFingerprint } from "../../../shared/contracts/capture/rendering.ts";
import type { CaptureJob } from "../../../shared/contracts/runs/jobs.ts";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import { submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import type { WorkQueue } from "../../../shared/contracts/work-queue.ts";
import { enqueueResult } from "../../../shared/contracts/work-queue.ts";
import { newId } from "../../../shared/ids.ts";
import { type DatabaseKind, MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { TEST_KEY } from "../../support/drivers/api-access.ts";
import { until } from "../../support/drivers/until.ts";

const PAGES = 12;
const caller: Caller = {
  teamId: "team_a",
  role: "admin",
  actor: { kind: "key", id: "key_a", name: "test" },
};
const fingerprint = (digit: string): RenderingFingerprint => {
  const digest = digit.repeat(16);
  return { id: digest, browser: "chromium 1", fonts: digest, fontCount: 3, flags: digest, pixels: digest };
};
const [USUAL, OTHER] = [fingerprint("a"), fingerprint("b")];

const renderingsOn = (database: DatabaseKind) => () => {
  database.needed();
  let broker: ServiceBroker;
  let made: TestDatabase;
  let context: RunsContext;
  let queue: WorkQueue;
  /** Returns the rendering of the browser that takes this job. */
  let renderingOf: (job: CaptureJob) => string | Promise<string>;
  let jobs: CaptureJob[] = [];
  /** Returns whether the page of this job can't be captured. */
  let isFailing: (job: CaptureJob) => boolean;
  /** Returns how a page looks with a fingerprint. */
  let lookOf: (rendering: string) => string;

  before(async () => {
    made = await database.make();
    const env = { ...made.env, LOG_LEVEL: "fatal", SERVICE_BOOTSTRAP_KEY: TEST_KEY, RENDER_CONCURRENCY: "2" };
    broker = new ServiceBroker(brokerOptions(loadConfig(env)));
    for (const each of [billing, teams]) broker.createService(each);
    broker.createService(
      service<Service & { context: RunsContext }>({
        name: "runs",
        mixins: [runs],
        async started() {
          context = this.context;
        },
      }),
    );
    broker.createService(
      service<Service & WithQueue>({
        name: "other-end",
        mixins: [workQueue()],
        async started() {
          queue = this.queue;
          const handle = async (job: CaptureJob) => {
            jobs.push(job);
            for (const { id, token } of job.screenshots) {
              if (isFailing(job)) await fail(job, id, token);
              else await capture(job, id, token, await renderingOf(job));
            }
          };
          queue.consume("capture", { concurrency: 1, maxAttempts: 3, handle, fail: async () => {} });
          queue.consume("compare", {
            concurrency: 1,
            maxAttempts: 1,
            handle: async ({ runId, screenshotId, token }) => {
              const about = { runId, screenshotId, token, stage: "compare" as const };
              await enqueueResult(queue, { kind: "failed", ...about, reason: "not compared here" });
            },
            fail: async () => {},
          });
        },
      }),
    );
    await broker.start();
  });
  after(async () => {
    await broker?.stop();
    await made?.remove();
  });
  beforeEach(() => {
    jobs = [];
    isFailing = () => false;
    lookOf = rendering => rendering;
  });

  const fail = async ({ runId }: CaptureJob, screenshotId: string, token: string) => {
    const about = { runId, screenshotId, token, stage: "capture" as const };
    await enqueueResult(queue, { kind: "failed", ...about, reason: "The page crashed.", blame: "service" });
  };

  /** Reports pixels that only browsers with this fingerprint draw. */
  const capture = async (
    { runId, url }: CaptureJob,
    screenshotId: string,
    token: string,
    rendering: string,
  ) => {
    const hash = createHash("sha256")
      .update(`${url} ${lookOf(rendering)}`)
      .digest("hex");
    const facts = { width: 10, height: 10, stable: true, moving: [], attempts: 1, cutFromHeight: null };
    const about = { runId, screenshotId, token, hash, rendering };
    await enqueueResult(queue, { kind: "captured", ...about, ...facts, browser: "chromium 1", timings: {} });
  };
  /** Changes the only renderer's browser after this number of jobs. */
  const moveAt = (count: number) => () => {
    if (jobs.length <= count) return USUAL.id;
    announceRendering(broker, OTHER);
    return OTHER.id;
  };
  /** Runs `work` beside another renderer with a larger capacity and the first id. */
  const besideUsual = async (work: () => Promise<void>) => {
    const list = broker.registry.getNodeList.bind(broker.registry);
    const [own] = list({ onlyAvailable: true, withServices: false });
    assert.ok(own);
    broker.registry.getNodeList = options => [
      ...list(options),
      { ...own, id: "usual", metadata: { renderConcurrency: 9, rendering: USUAL } },
    ];
    try {
      await work();
    } finally {
      broker.registry.getNodeList = list;
    }
  };
  const ask = <N extends ActionName>(name: N, params: Actions[N]["params"]) =>
    broker.call<Actions[N]["result"], Actions[N]["params"]>(name, params, { meta: { caller } });
  const messagesOf = ({ warnings }: RunView) => warnings.map(({ message }) => message);
  const complete = async (project: string) => {
    const routes = Array.from({ length: PAGES }, (_, index) => `/${index}`);
    const body = submitRunBody.parse({ url: "https://example.com", routes, project });
    const { id } = await ask("runs.submit", { id: newId("run"), body });
    await until(async () => (await ask("runs.get", { id })).completedAt !== null);
    return await ask("runs.get", { id });
  };
  /** Returns a run's pixels as the fingerprints that drew them. */
  const drawnBy = async (runId: string) => {
    const { data } = await ask("runs.screenshots", { runId, query: { limit: 100 } });
    return new Set(
      data.map(({ route, images }) => {
        const by = (rendering: string) =>
          createHash("sha256").update(`https://example.com${route} ${rendering}`).digest("hex");
        return [USUAL.id, OTHER.id].find(id => images.current?.includes(by(id)));
      }),
    );
  };

  it("is the first capture's if no renderer has reported its rendering", async () => {
    let count = 0;
    renderingOf = ({ rendering }) => rendering ?? (count++ % 2 === 0 ? USUAL.id : OTHER.id);
    const run = await complete("first");
    const drawn = await drawnBy(run.id);
    assert.equal(drawn.size, 1);
    assert.ok(count > 1, "both were offered");
    const fixed = jobs.flatMap(({ rendering }) => rendering ?? []);
    assert.deepEqual(new Set(fixed), drawn, "what comes after the first goes to renderers that draw like it");
  });

  it("is the renderers' from the first job on", async () => {
    announceRendering(broker, USUAL);
    renderingOf = () => USUAL.id;
    const run = await complete("announced");
    assert.ok(jobs.every(({ rendering }) => rendering === USUAL.id));
    assert.deepEqual(messagesOf(run), []);
  });

  it("is that of most of the run's baselines if two kinds of renderers are present", async () => {
    announceRendering(broker, OTHER);
    renderingOf = () => OTHER.id;
    const first = await complete("mixed");
    await ask("runs.approve", { runId: first.id });
    await besideUsual(async () => {
      jobs = [];
      renderingOf = ({ rendering }) => rendering ?? USUAL.id;
      const second = await complete("mixed");
      assert.deepEqual(new Set(jobs.map(({ rendering }) => rendering)), new Set([OTHER.id]));
      assert.equal(second.counts.unchanged, PAGES);
      const without = await complete("no baselines");
      assert.deepEqual(await drawnBy(without.id), new Set([USUAL.id]));
    });
  });

  it("is the original run's for a null rerun", async () => {
    announceRendering(broker, OTHER);
    renderingOf = ({ rendering }) => rendering ?? OTHER.id;
    const query = { project: "repeated" };
    await complete("repeated");
    const { projectId } = await ask("runs.noise", { query });
    await ask("runs.changeProject", { id: projectId, body: { nullReruns: true } });
    await complete("repeated");
    await besideUsual(async () => {
      jobs = [];
      await submitNullReruns(context);
      const planned = async () => (await ask("runs.noise", { query })).nullReruns.history[0];
      await until(async () => (await planned())?.falseAlarms != null);
      assert.deepEqual(new Set(jobs.map(({ rendering }) => rendering)), new Set([OTHER.id]));
      assert.equal((await planned())?.falseAlarms, 0);
    });
  });

  it("changes for the whole run, with a warning, once no such renderer is left", async () => {
    announceRendering(broker, USUAL);
    renderingOf = moveAt(5);
    const run = await complete("moved");
    const foreign = jobs.filter(({ rendering }) => rendering === USUAL.id).length - 5;
    assert.ok(foreign <= 5, `moved at the first capture of another kind, not after ${foreign}`);
    assert.deepEqual(await drawnBy(run.id), new Set([OTHER.id]));
    assert.equal(run.counts.new, PAGES);
    assert.deepEqual(messagesOf(run), [
      "The renderers that started this run stopped. Renderers with another browser build or other fonts captured all its pages again.",
    ]);
  });

  it("releases pages that failed before the run moved", async () => {
    announceRendering(broker, USUAL);
    isFailing = () => jobs.length <= 2;
    renderingOf = moveAt(5);
    const run = await complete("moved after failures");
    assert.deepEqual(await drawnBy(run.id), new Set([OTHER.id]));
    assert.deepEqual([run.counts.new, run.counts.failed], [PAGES, 0]);
  });

  it("changes for a run that is about to end, which then waits for its pages", async () => {
    announceRendering(broker, USUAL);
    const released = Promise.withResolvers<string>();
    renderingOf = () => released.promise;
    const body = submitRunBody.parse({ url: "https://example.com", project: "moved at its end" });
    const { id } = await ask("runs.submit", { id: newId("run"), body });
    const em = context.em();
    await em.execute("update runs.run set renderings = ?::jsonb where id = ?", [`{"": "${USUAL.id}"}`, id]);
    await em.execute(
      "update runs.screenshot set status = 'new', hash = 'h', captured_at = now() where run_id = ?",
      [id],
    );
    const move = { runId: id, region: null, rendering: USUAL.id };
    /** Moves the run between its tally and its end. */
    const movingEm = () => {
      const em = context.em();
      const transactional = em.transactional.bind(em);
      em.transactional = async (...end) => {
        assert.equal(await context.em().transactional(tx => moveRun(tx, move, OTHER.id)), 1);
        return transactional(...end);
      };
      return em;
    };
    await advanceRuns({ ...context, em: movingEm }, [id]);
    const { completedAt, progress } = await ask("runs.get", { id });
    assert.deepEqual([completedAt, progress.captured], [null, 0]);
    await ask("runs.cancel", { id });
    released.resolve(USUAL.id);
  });

  it("is noted beside a baseline of another rendering", async () => {
    announceRendering(broker, USUAL);
    renderingOf = ({ rendering }) => rendering ?? USUAL.id;
    const first = await complete("compared");
    await ask("runs.approve", { runId: first.id });
    const second = await complete("compared");
    assert.deepEqual(messagesOf(second), []);
    announceRendering(broker, OTHER);
    const third = await complete("compared");
    assert.deepEqual(messagesOf(third), [
      "12 baselines were captured by another browser build or with other fonts. Differences may come from that.",
    ]);
    const query = { limit: 100 };
    const { data } = await ask("runs.screenshots", { runId: third.id, query });
    for (const { notes } of data)
      assert.deepEqual(notes, [
        "The baseline was captured by another browser build or with other fonts. Differences may come from that.",
      ]);
  });

  it("clears the errors of failed comparisons when the run moves", async () => {
    announceRendering(broker, USUAL);
    renderingOf = () => USUAL.id;
    const first = await complete("moved after a comparison");
    await ask("runs.approve", { runId: first.id });
    jobs = [];
    lookOf = rendering => (rendering === USUAL.id ? "other pixels, which fail to compare" : USUAL.id);
    const move = moveAt(5);
    renderingOf = async job => {
      // The page's comparison has failed before the run moves.
      if (jobs.length === 6)
        await until(async () => (await ask("runs.get", { id: job.runId })).counts.failed === 5);
      return move();
    };
    const { id, counts } = await complete("moved after a comparison");
    assert.equal(counts.unchanged, PAGES);
    const { data } = await ask("runs.screenshots", { runId: id, query: { limit: 100 } });
    assert.deepEqual(new Set(data.map(({ error }) => error)), new Set([null]));
  });
};

for (const database of MAIN_DATABASES)
  describe(`The rendering of a run on ${database.name}`, renderingsOn(database));
