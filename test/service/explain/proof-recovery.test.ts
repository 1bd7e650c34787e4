import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { ServiceBroker } from "moleculer";
import pg from "pg";
import { brokerOptions } from "../../../moleculer.config.ts";
import { loadConfig } from "../../../shared/config.ts";
import type { CaptureJob } from "../../../shared/contracts/runs/jobs.ts";
import type { ProofResult } from "../../../shared/contracts/runs/proof.ts";
import { submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import { enqueueResult } from "../../../shared/contracts/work-queue.ts";
import { newId } from "../../../shared/ids.ts";
import { captured, RunsTestContext } from "../../support/contexts/runs-context.ts";
import { FLEET, type TestDatabase } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";
import { causeWith } from "../../support/fixtures/explanations.ts";

const FILE = "https://shop.example/app.css";
const PROVEN: ProofResult = {
  ...{ outcome: "proven", files: [FILE], tried: 3, unkept: 0, captures: 2 },
  reason: null,
};
/** The sweep runs every 15 seconds. */
const SWEEP_TIMEOUT_MS = 60_000;
/** Shorter than the sweep takes. */
const SOON_MS = 8_000;
/** Longer than the first attempt to store a result takes. */
const ATTEMPT_MS = 2_000;

describe("Proofs of causes in a fleet", () => {
  FLEET.needed();
  let database: TestDatabase;
  let context: RunsTestContext;
  let client: pg.Client;
  let proofs: CaptureJob[] = [];
  /** What a renderer does with a proof. */
  let prove: () => Promise<void>;

  before(async () => {
    database = await FLEET.make();
    context = await RunsTestContext.start({ ...database.env, SERVICES: "runs,teams,billing" });
    client = new pg.Client({ connectionString: database.env.DATABASE_URL });
    await client.connect();
  });
  after(async () => {
    await client?.end();
    await context?.stop();
    await database?.remove();
  });
  beforeEach(() => {
    proofs = [];
    prove = async () => {};
  });

  const start = async (project: string, look: string) => {
    context.compared.length = 0;
    context.render = async job => {
      if (job.proof) {
        proofs.push(job);
        return await prove();
      }
      for (const { id, token } of job.screenshots) {
        const own = captured(job.runId, id, `${project} ${look}`, token);
        await enqueueResult(context.queue, { kind: "captured", ...own, capsuleHash: `${project} ${look}` });
      }
    };
    const body = submitRunBody.parse({ url: "https://shop.example", project });
    return (await context.ask("runs.submit", { id: newId("run"), body })).id;
  };
  /** Ends a run with one changed screenshot. @returns the run and its screenshot */
  const changed = async (project: string) => {
    const first = await start(project, "old");
    await context.ended(first);
    await context.ask("runs.approve", { runId: first });
    const runId = await start(project, "new");
    await until(() => context.compared.length === 1);
    const file = { url: FILE, change: "changed" as const };
    const explanation = { causes: [causeWith("cause", { file })], effects: [], accessibility: [] };
    for (const { screenshotId, baselineHash, currentHash, token } of context.compared)
      await enqueueResult(context.queue, {
        ...{ kind: "compared", runId, screenshotId, baselineHash, currentHash, token, explanation },
        ...{ diffPixels: 5, diffRatio: 0.05, regions: [], maskHash: null, fingerprint: screenshotId },
      });
    await context.ended(runId);
    return { runId, id: (await list(runId))[0]?.id ?? "" };
  };
  const list = async (runId: string) =>
    (await context.ask("runs.screenshots", { runId, query: { limit: 10 } })).data;
  const outcomeOf = async (runId: string) => (await list(runId))[0]?.proof?.outcome ?? null;
  const queued = async (number = 1) => {
    await until(() => proofs.length >= number);
    return proofs[number - 1] ?? assert.fail("There is no job.");
  };
  const report = async ({ runId, screenshots }: CaptureJob, result: ProofResult) => {
    for (const { id, token } of screenshots)
      await enqueueResult(context.queue, { kind: "proved", runId, screenshotId: id, token, ...result });
  };

  it("mark their causes, even if that fails at first", async () => {
    const { runId, id } = await changed("marked");
    await context.ask("runs.prove", { id });
    const job = await queued();
    const { rows } = await client.query("select causes from runs.run where id = $1", [runId]);
    await client.query(`update runs.run set causes = '{}' where id = $1`, [runId]);
    await report(job, PROVEN);
    await delay(ATTEMPT_MS);
    await client.query("update runs.run set causes = $2 where id = $1", [
      runId,
      JSON.stringify(rows[0]?.causes),
    ]);
    await context.whenHandled(runId);
    assert.equal(await outcomeOf(runId), "proven");
    const { causes } = await context.ask("runs.get", { id: runId });
    assert.deepEqual(
      causes.map(({ isProven }) => isProven),
      [true],
    );
  });

  it("start again at once", async () => {
    const { runId, id } = await changed("again");
    await context.ask("runs.prove", { id });
    await report(await queued(), { ...PROVEN, outcome: "unreachable", files: [], reason: "Gone." });
    await until(async () => (await outcomeOf(runId)) === "unreachable");
    const askedAt = performance.now();
    await context.ask("runs.prove", { id });
    await queued(2);
    assert.ok(performance.now() - askedAt < SOON_MS);
  });

  it("leave no job behind if no renderer can do them", async function () {
    this.timeout(SWEEP_TIMEOUT_MS);
    const { promise, resolve } = Promise.withResolvers<void>();
    prove = () => promise;
    const { runId, id } = await changed("late");
    await context.ask("runs.prove", { id });
    await queued();
    await client.query(
      `update runs.proof set requested_at = now() - interval '2 hours', dispatched_at = now() - interval '2 hours'
       where screenshot_id = $1`,
      [id],
    );
    await until(async () => (await outcomeOf(runId)) === "failed");
    const left = await context.queue.idsOf("capture", runId);
    resolve();
    assert.deepEqual([...left], []);
  });

  it("are refused if no renderer draws like that of the run", async () => {
    const { runId, id } = await changed("other");
    await client.query("update runs.run set renderings = jsonb_build_object('', $2::text) where id = $1", [
      runId,
      "a".repeat(16),
    ]);
    const config = loadConfig({ ...database.env, LOG_LEVEL: "fatal", SERVICES: "renderer" });
    const renderer = new ServiceBroker(brokerOptions(config));
    const digest = "b".repeat(16);
    const rendering = { browser: "chromium 1", fonts: digest, fontCount: 3, flags: digest, pixels: digest };
    renderer.metadata.rendering = { id: digest, ...rendering };
    await renderer.start();
    try {
      await renderer.waitForServices("runs");
      await delay(ATTEMPT_MS);
      await assert.rejects(context.ask("runs.prove", { id }), { type: "conflict", message: /draws like/ });
      assert.equal(await outcomeOf(runId), null);
    } finally {
      await renderer.stop();
    }
  });
});
