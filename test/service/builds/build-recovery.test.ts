import assert from "node:assert/strict";
import pg from "pg";
import { createBuildBody } from "../../../shared/contracts/builds/builds.ts";
import { newId } from "../../../shared/ids.ts";
import { RunsTestContext } from "../../support/contexts/runs-context.ts";
import { FLEET, type TestDatabase } from "../../support/databases/databases.ts";
import { hashOf } from "../../support/drivers/build-client.ts";
import { until } from "../../support/drivers/until.ts";

/** The sweep runs every 15 seconds. */
const SWEEP_TIMEOUT_MS = 40_000;

describe("Builds after failures", () => {
  FLEET.needed();
  let database: TestDatabase;
  let context: RunsTestContext;
  let client: pg.Client;

  before(async () => {
    database = await FLEET.make();
    context = await RunsTestContext.start({
      ...database.env,
      BUILD_TIMEOUT_MINUTES: "30",
      SERVICES: "runs,teams,billing",
    });
    client = new pg.Client({ connectionString: database.env.DATABASE_URL });
    await client.connect();
  });
  after(async () => {
    await client?.end();
    await context?.stop();
    await database?.remove();
  });

  const hash = hashOf(Buffer.from("a"));
  const create = async (project: string, body: object = {}) => {
    const screenshots = [{ name: "a", hash }];
    const parsed = createBuildBody.parse({ project, screenshots, ...body });
    const { id } = await context.ask("runs.createBuild", { id: newId("run"), body: parsed });
    const image = { hash, imageHash: hash, width: 10, height: 10 };
    await context.ask("runs.recordUpload", { id, image });
    return id;
  };

  it("wait for no renderer, unlike other runs", async () => {
    const warningsOf = async (id: string) =>
      (await context.ask("runs.get", { id })).warnings.map(({ message }) => message);
    assert.deepEqual(await warningsOf(await create("no renderer")), []);
    const { id } = await context.submit("captured", 1);
    assert.match((await warningsOf(id)).join(), /No renderer is connected/);
  });

  it("fail with the reason if a shard never comes, and nothing else does", async function () {
    this.timeout(SWEEP_TIMEOUT_MS);
    const shards = { parallel: { nonce: "1", total: 3 }, shard: "1" };
    const [old, young] = [await create("old", shards), await create("young", shards)];
    for (const shard of ["1", "2"]) await context.ask("runs.finalizeBuild", { id: old, body: { shard } });
    await client.query("update runs.build set touched_at = now() - interval '31 minutes' where run_id = $1", [
      old,
    ]);
    await client.query("update runs.build set touched_at = now() - interval '29 minutes' where run_id = $1", [
      young,
    ]);
    const run = await context.ended(old);
    assert.deepEqual([run.status, run.conclusion], ["failed", null]);
    assert.match(run.error ?? "", /^Nothing was uploaded for 30 minutes, and only 2 of 3 shards/);
    await assert.rejects(context.ask("runs.finalizeBuild", { id: old, body: { shard: "3" } }), /is failed/);
    assert.equal((await context.ask("runs.build", { id: young })).open, true);
  });

  it("don't fail if a request reaches them at the end of their time", async function () {
    this.timeout(SWEEP_TIMEOUT_MS);
    const id = await create("just in time");
    await client.query("update runs.build set touched_at = now() - interval '31 minutes' where run_id = $1", [
      id,
    ]);
    await client.query("begin");
    // The request has the build's lock until its transaction ends.
    await client.query("update runs.build set touched_at = clock_timestamp() where run_id = $1", [id]);
    const isSwept = async () => {
      const waiting = `select 1 from pg_locks join pg_stat_activity using (pid)
        where datname = current_database() and not granted`;
      const hasFailed = (await context.ask("runs.get", { id })).status === "failed";
      return hasFailed || (await client.query(waiting)).rows.length > 0;
    };
    await until(isSwept);
    await client.query("commit");
    await context.ask("runs.finalizeBuild", { id, body: {} });
    assert.equal((await context.ended(id)).conclusion, "new");
  });

  it("complete on another node if their node stops before or after their rows are written", async function () {
    this.timeout(SWEEP_TIMEOUT_MS);
    const [before, after] = [await create("before"), await create("after")];
    await client.query(
      "update runs.build set closed_at = now() - interval '1 minute' where run_id = any($1)",
      [[before]],
    );
    await context.ask("runs.finalizeBuild", { id: after, body: {} });
    await context.ended(after);
    await client.query(
      `update runs.screenshot set status = 'pending', captured_at = null where run_id = '${after}'`,
    );
    await client.query(
      `update runs.run set status = 'queued', completed_at = null, tally = null where id = '${after}'`,
    );
    await client.query(
      `update runs.build set finalized_at = now() - interval '1 minute' where run_id = '${after}'`,
    );
    context.completed.length = 0;
    for (const id of [before, after]) assert.equal((await context.ended(id)).conclusion, "new");
    const counted = await client.query(
      "select run_id, screenshots from billing.counted_run where run_id = any($1) order by run_id",
      [[before, after]],
    );
    const expected = [before, after].sort().map(run_id => ({ run_id, screenshots: 1 }));
    assert.deepEqual(counted.rows, expected);
  });
});
