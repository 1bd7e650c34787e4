import assert from "node:assert/strict";
import { PlainNames } from "../../../services/runs/migrations/2026-11-29-plain-names.ts";
import { migrations } from "../../../services/runs/migrations/index.ts";
import { ProjectEntity } from "../../../services/runs/project.entity.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { DATABASES, type TestDatabase } from "../../support/databases/databases.ts";

const BEFORE = migrations.slice(
  0,
  migrations.findIndex(({ name }) => name.endsWith("-plain-names")),
);

for (const kind of DATABASES) {
  describe(`The plain-names migration of runs on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let node: DatabaseNode;

    const start = async (which: typeof migrations) => {
      await node?.stop();
      node = await DatabaseNode.start(database.env, {
        schema: "runs",
        entities: [ProjectEntity],
        migrations: which,
      });
    };
    const sql = (text: string): Promise<object[]> => node.em().execute(text);

    before(async () => {
      database = await kind.make({ empty: true });
      await start(BEFORE);
      await sql("insert into runs.project values ('proj_1', 'team_1', 'shop', 'main', now())");
      await sql(
        `insert into runs.run (id, team_id, project_id, project, url, scope, default_scope, threshold, options, status,
           body_digest, created_by, created_at)
         values ('run_1', 'team_1', 'proj_1', 'shop', '', 'branch:main', 'branch:main', 0, '{}', 'completed', '', '', now())`,
      );
      await sql(
        `insert into runs.screenshot (id, run_id, position, route, viewport, threshold, status, moving, attempts, regions,
           dispatches, restless)
         values ('shot_1', 'run_1', 0, '/', 1280, 0, 'changed', '[]', 1, '[]', 0, true)`,
      );
      await sql(
        "insert into runs.null_rerun (run_id, project_id, of_run_id, claimed_at) values ('run_2', 'proj_1', 'run_1', '2026-11-01Z')",
      );
      await sql("insert into runs.chore values ('prune-runs', '2026-11-02Z')");
    });
    after(async () => {
      await node?.stop();
      await database?.remove();
    });

    it("keeps the rows under the new names", async () => {
      await start(migrations);
      assert.deepEqual(await sql("select flaky from runs.screenshot"), [{ flaky: true }]);
      assert.deepEqual(await sql("select leased_at::date::text as day from runs.null_rerun"), [
        { day: "2026-11-01" },
      ]);
      assert.deepEqual(await sql("select name, done_at::date::text as day from runs.periodic_task"), [
        { name: "prune-runs", day: "2026-11-02" },
      ]);
    });

    it("keeps the rows when it is reverted", async () => {
      const em = node.em();
      const migration = new PlainNames(em.getDriver(), em.config);
      migration.down();
      for (const query of migration.getQueries()) await sql(String(query));
      assert.deepEqual(
        await sql(
          "select restless, claimed_at::date::text as day, name from runs.screenshot, runs.null_rerun, runs.chore",
        ),
        [{ restless: true, day: "2026-11-01", name: "prune-runs" }],
      );
    });
  });
}
