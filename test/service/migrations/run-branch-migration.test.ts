import assert from "node:assert/strict";
import { migrations } from "../../../services/runs/migrations/index.ts";
import { RunEntity } from "../../../services/runs/run.entity.ts";
import { describeMigration } from "../../support/databases/describe-migration.ts";

describeMigration(
  "The run-branches migration",
  { schema: "runs", entities: [RunEntity], migrations, name: "-run-branches" },
  schema => {
    it("sets the branch of a run's approvals", async () => {
      await schema
        .em()
        .execute("insert into runs.project values ('proj_1', 'team_1', 'shop', 'next', now())");
      const rows = ["('a', null, 'branch:trunk')", "('b', null, 'pr:7')", "('c', 'side', 'branch:side')"];
      await schema.em().execute(
        `insert into runs.run (id, team_id, project_id, project, url, branch, scope, default_scope, threshold, options,
           status, body_digest, created_by, created_at)
         select 'run_' || v.id, 'team_1', 'proj_1', 'shop', '', v.branch, v.scope, 'branch:trunk', 0, '{}', 'completed', '',
           'key_1', now() from (values ${rows.join()}) as v (id, branch, scope)`,
      );
      await schema.migrate();
      const runs = await schema.em().find(RunEntity, {}, { orderBy: { id: "asc" } });
      assert.deepEqual(
        runs.map(({ branch }) => branch),
        ["trunk", null, "side"],
      );
    });
  },
);
