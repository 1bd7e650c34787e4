import assert from "node:assert/strict";
import { countQueuedJobs } from "../../../services/runs/capture/dispatch.store.ts";
import { migrations } from "../../../services/runs/migrations/index.ts";
import { RunEntity } from "../../../services/runs/run.entity.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { createMigratedDatabase } from "../../support/databases/migrated-database.ts";
import { pagesRead } from "../../support/databases/pages-read.ts";
import { TEST_SECRET_KEY } from "../../support/drivers/api-access.ts";
import { insertProject, insertRunRow } from "../../support/rows/run-rows.ts";
import { needs } from "../../support/servers/server-programs.ts";

const RUNS = 100;
const QUEUED = 10;
/** For each run: a page for each queued screenshot, and some of the indexes. */
const PAGES_OF_A_RUN = QUEUED + 6;

describe("A statement of the runs service", () => {
  needs("database");
  let node: DatabaseNode;

  before(async () => {
    node = await DatabaseNode.start(
      { DATABASE_URL: await createMigratedDatabase(), SERVICE_SECRET_KEY: TEST_SECRET_KEY },
      { schema: "runs", entities: [RunEntity], migrations },
    );
  });
  after(() => node?.stop());

  it("counts queued jobs without reading all runs for each, even if none was queued at the last analyze", async () => {
    const em = node.em();
    await insertProject(em, { id: "proj", teamId: "team" });
    await em.execute("analyze runs.run");
    await em.execute("analyze runs.screenshot");
    for (let run = 0; run < RUNS; run++)
      await insertRunRow(em, { id: `run_${run}`, teamId: "team", projectId: "proj", endedDays: null });
    await em.execute(
      `insert into runs.screenshot (id, run_id, position, route, viewport, threshold, status, moving, attempts, regions,
         dispatches, dispatched_at)
       select r.id || '_' || n, r.id, n, '/' || n, 1280, 0, 'pending', '[]', 0, '[]', 1, now()
       from runs.run r, generate_series(1, ${QUEUED}) n`,
    );
    assert.deepEqual(await countQueuedJobs(em), [{ region: null, jobs: RUNS * QUEUED }]);
    const pages = await pagesRead(em, countQueuedJobs);
    assert.ok(pages <= RUNS * PAGES_OF_A_RUN, `It read ${pages} pages.`);
  });

  it("finds tables whose finished work is vacuumed after as many rows, however large they are", async () => {
    const rows: object[] = await node.em().execute(
      `select relname, reloptions from pg_class where oid in ('runs.run'::regclass, 'runs.screenshot'::regclass)
       order by relname`,
    );
    const reloptions = ["autovacuum_vacuum_scale_factor=0", "autovacuum_vacuum_threshold=2000"];
    assert.deepEqual(rows, [
      { relname: "run", reloptions },
      { relname: "screenshot", reloptions },
    ]);
  });
});
