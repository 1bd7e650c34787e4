import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import { CheckEntity } from "../../../services/monitors/checks/check.entity.ts";
import { startDue } from "../../../services/monitors/checks/start-due.ts";
import { migrations } from "../../../services/monitors/migrations/index.ts";
import { MonitorEntity } from "../../../services/monitors/settings/monitor.entity.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { DATABASES, type DatabaseKind, type TestDatabase } from "../../support/databases/databases.ts";
import { countQueries, insertMonitors, monitorsContext } from "../../support/rows/due-monitors.ts";

const SCHEMA = { schema: "monitors", entities: [MonitorEntity, CheckEntity], migrations };

/** The embedded database allows one process. On a server, each node has its own connections. */
const dueOn = (database: DatabaseKind, count: number) => () => {
  database.needed();
  let made: TestDatabase;
  const nodes: DatabaseNode[] = [];

  before(async () => {
    made = await database.make();
    const processes = made.env.DATABASE_URL === undefined ? 1 : 3;
    for (let index = 0; index < processes; index += 1) nodes.push(await DatabaseNode.start(made.env, SCHEMA));
  });
  after(async () => {
    for (const node of nodes) await node.stop();
    await made?.remove();
  });

  const three = () => [0, 1, 2].map(index => nodes[index % nodes.length] ?? assert.fail());
  const em = () => three()[0]?.em() ?? assert.fail();

  it(`start each of ${count} checks once on three nodes`, async () => {
    await insertMonitors(em(), count);
    const watching = three().map(({ em: emOf }) => monitorsContext(emOf));
    const started = await Promise.all(watching.map(({ context }) => startDue(context)));
    assert.equal(
      started.reduce((sum, some) => sum + some),
      count,
      `${started}`,
    );
    if (nodes.length > 1)
      assert.ok(
        started.every(some => some > 0),
        `all took part: ${started}`,
      );
    const projects = watching.flatMap(({ submitted }) => submitted.map(({ body }) => body.project));
    assert.equal(projects.length, count);
    assert.equal(new Set(projects).size, count);
    const [row] = await em().execute<{ checks: number; monitors: number; submitted: number; late: number }[]>(
      `select count(*)::int as checks, count(distinct monitor_id)::int as monitors,
         count(submitted_at)::int as submitted,
         (select count(*)::int from monitors.monitor where check_id is null
            or next_at < now() - interval '1 hour') as late
       from monitors.check`,
    );
    assert.deepEqual({ ...row }, { checks: count, monitors: count, submitted: count, late: 0 });
    assert.equal(await startDue(monitorsContext(em).context), 0);
  });

  it("need one query if none is due", async () => {
    await insertMonitors(em(), 1);
    const queries = countQueries(em());
    const { context } = monitorsContext(em);
    assert.equal(await startDue(context), 1);
    assert.equal(queries(), 3, "to take it, to read it, to note that it is submitted");
    assert.equal(await startDue(context), 0);
    assert.equal(queries(), 4);
  });
};

for (const database of DATABASES) {
  const count = database.name === "PostgreSQL" ? 10_000 : 1_000;
  describe(`Due monitors on ${database.name}`, dueOn(database, count));
}
