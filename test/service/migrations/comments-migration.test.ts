import assert from "node:assert/strict";
import { AddComments } from "../../../services/runs/migrations/2026-12-03-comments.ts";
import { migrations } from "../../../services/runs/migrations/index.ts";
import { ProjectEntity } from "../../../services/runs/project.entity.ts";
import { describeMigration } from "../../support/databases/describe-migration.ts";
import { revertMigration } from "../../support/databases/revert-migration.ts";

describeMigration(
  "The comments migration",
  {
    schema: "runs",
    entities: [ProjectEntity],
    migrations,
    name: "-comments",
    seed: async em => {
      await em.execute(
        "insert into runs.project (id, team_id, name, default_branch, created_at) values ('proj_1', 'team_1', 'shop', 'main', now())",
      );
      await em.execute(
        `insert into runs.run (id, team_id, project_id, project, url, scope, default_scope, threshold, options, status,
           body_digest, created_by, created_at, screenshots_per_job)
         values ('run_1', 'team_1', 'proj_1', 'shop', '', 'branch:main', 'branch:main', 0, '{}', 'completed', '', '', now(), 1)`,
      );
    },
  },
  schema => {
    const sql = (text: string): Promise<object[]> => schema.em().execute(text);
    const comment = (id: string, thread: string | null) =>
      sql(
        `insert into runs.comment (id, team_id, run_id, thread_id, text, author_kind, author_id, author_name, counts_as)
         values ('${id}', 'team_1', 'run_1', ${thread ? `'${thread}'` : "null"}, 'x', 'user', 'user_1', 'ada', 'user_1')`,
      );

    it("keeps runs, and deletes replies with their thread and comments with their run", async () => {
      await schema.migrate();
      await comment("com_1", null);
      await comment("com_2", "com_1");
      await comment("com_3", null);
      await sql("delete from runs.comment where id = 'com_1'");
      assert.deepEqual(await sql("select id from runs.comment"), [{ id: "com_3" }]);
    });

    it("keeps runs when it is reverted", async () => {
      await revertMigration(schema.em(), AddComments);
      assert.deepEqual(await sql("select id from runs.run"), [{ id: "run_1" }]);
    });
  },
);
