import assert from "node:assert/strict";
import { migrations } from "../../../services/runs/migrations/index.ts";
import { RunEntity } from "../../../services/runs/run.entity.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { DATABASES, type TestDatabase } from "../../support/databases/databases.ts";

const BEFORE = migrations.slice(
  0,
  migrations.findIndex(({ name }) => name.endsWith("-run-branches")),
);

for (const kind of DATABASES) {
  describe(`The run-branches migration on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let node: DatabaseNode;

    const start = async (which: typeof migrations) => {
      await node?.stop();
      node = await DatabaseNode.start(database.env, {
        schema: "runs",
        entities: [RunEntity],
        migrations: which,
      });
    };

    before(async () => {
      database = await kind.make({ empty: true });
      await start(BEFORE);
    });
    after(async () => {
      await node?.stop();
      await database?.remove();
    });

    it("sets the branch of a run's approvals", async () => {
      await node.em().execute("insert into runs.project values ('proj_1', 'team_1', 'shop', 'next', now())");
      const rows = ["('a', null, 'branch:trunk')", "('b', null, 'pr:7')", "('c', 'side', 'branch:side')"];
      await node.em().execute(
        `insert into runs.run (id, team_id, project_id, project, url, branch, scope, default_scope, threshold, options,
           status, body_digest, created_by, created_at)
         select 'run_' || v.id, 'team_1', 'proj_1', 'shop', '', v.branch, v.scope, 'branch:trunk', 0, '{}', 'completed', '',
           'key_1', now() from (values ${rows.join()}) as v (id, branch, scope)`,
      );
      await start(migrations);
      const runs = await node.em().find(RunEntity, {}, { orderBy: { id: "asc" } });
      assert.deepEqual(
        runs.map(({ branch }) => branch),
        ["trunk", null, "side"],
      );
    });
  });
}
