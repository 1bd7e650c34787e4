import assert from "node:assert/strict";
import { CheckRunEntity } from "../../../services/scm/checks/check-run.entity.ts";
import { migrations } from "../../../services/scm/migrations/index.ts";
import { deleteTeamData, TEAM_TABLES } from "../../../services/scm/team-data.store.ts";
import { newId } from "../../../shared/ids.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";

for (const kind of MAIN_DATABASES) {
  describe(`The code host's data of a deleted team on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let node: DatabaseNode;

    before(async () => {
      database = await kind.make();
      node = await DatabaseNode.start(database.env, {
        schema: "scm",
        entities: [CheckRunEntity],
        migrations,
      });
    });
    after(async () => {
      await node?.stop();
      await database?.remove();
    });

    it("is deleted in every table that names a team", async () => {
      const rows: { name: string }[] = await node
        .em()
        .execute(
          "select table_name as name from information_schema.columns where table_schema = 'scm' and column_name = 'team_id'",
        );
      assert.deepEqual(rows.map(({ name }) => name).sort(), [...TEAM_TABLES].sort());
      const [gone, kept] = [newId("team"), newId("team")];
      for (const [index, team] of [gone, kept].entries())
        await node
          .em()
          .execute(
            "insert into scm.forwarded_run (digest, team_id, owner, repo, sha, forwarded_at) values (?, ?, 'acme', 'shop', 'a', now())",
            [`digest ${index}`, team],
          );
      await deleteTeamData(node.em(), gone);
      const left: { team: string }[] = await node
        .em()
        .execute("select team_id as team from scm.forwarded_run");
      assert.deepEqual(left, [{ team: kept }]);
    });
  });
}
