import assert from "node:assert/strict";
import { PlainNames } from "../../../services/runs/migrations/2026-11-29-plain-names.ts";
import { migrations } from "../../../services/runs/migrations/index.ts";
import { ProjectEntity } from "../../../services/runs/project.entity.ts";
import { describeMigration } from "../../support/databases/describe-migration.ts";
import { revertMigration } from "../../support/databases/revert-migration.ts";

describeMigration(
  "The plain-names migration of runs",
  {
    schema: "runs",
    entities: [ProjectEntity],
    migrations,
    name: "-plain-names",
    seed: async em => {
      await em.execute("insert into runs.project values ('proj_1', 'team_1', 'shop', 'main', now())");
      await em.execute(
        `insert into runs.run (id, team_id, project_id, project, url, scope, default_scope, threshold, options, status,
           body_digest, created_by, created_at)
         values ('run_1', 'team_1', 'proj_1', 'shop', '', 'branch:main', 'branch:main', 0, '{}', 'completed', '', '', now())`,
      );
      await em.execute(
        `insert into runs.screenshot (id, run_id, position, route, viewport, threshold, status, moving, attempts, regions,
           dispatches, restless)
         values ('shot_1', 'run_1', 0, '/', 1280, 0, 'changed', '[]', 1, '[]', 0, true)`,
      );
      await em.execute(
        "insert into runs.null_rerun (run_id, project_id, of_run_id, claimed_at) values ('run_2', 'proj_1', 'run_1', '2026-11-01Z')",
      );
      await em.execute("insert into runs.chore values ('prune-runs', '2026-11-02Z')");
    },
  },
  schema => {
    const sql = (text: string): Promise<object[]> => schema.em().execute(text);

    it("keeps the rows under the new names", async () => {
      await schema.migrate();
      assert.deepEqual(await sql("select flaky from runs.screenshot"), [{ flaky: true }]);
      assert.deepEqual(await sql("select leased_at::date::text as day from runs.null_rerun"), [
        { day: "2026-11-01" },
      ]);
      assert.deepEqual(await sql("select name, done_at::date::text as day from runs.periodic_task"), [
        { name: "prune-runs", day: "2026-11-02" },
      ]);
    });

    it("keeps the rows when it is reverted", async () => {
      await revertMigration(schema.em(), PlainNames);
      assert.deepEqual(
        await sql(
          "select restless, claimed_at::date::text as day, name from runs.screenshot, runs.null_rerun, runs.chore",
        ),
        [{ restless: true, day: "2026-11-01", name: "prune-runs" }],
      );
    });
  },
);
