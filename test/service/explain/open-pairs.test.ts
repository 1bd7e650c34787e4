import assert from "node:assert/strict";
import { countOpenPairs, openPairs, takeOverPairs } from "../../../services/runs/comparisons/pair.store.ts";
import { migrations } from "../../../services/runs/migrations/index.ts";
import { ProjectEntity } from "../../../services/runs/project.entity.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { DATABASES, type TestDatabase } from "../../support/databases/databases.ts";

for (const kind of DATABASES) {
  describe(`Open comparisons of two images, on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let node: DatabaseNode;

    before(async () => {
      database = await kind.make();
      node = await DatabaseNode.start(database.env, {
        schema: "runs",
        entities: [ProjectEntity],
        migrations,
      });
    });
    after(async () => {
      await node?.stop();
      await database?.remove();
    });

    it("leave their room to others if they are lost and nobody asks for them", async () => {
      const [id, team] = ["pair_1", "team_a"];
      await openPairs(node.em(), team, [{ id, baseHash: "a", headHash: "b" }]);
      assert.equal(await countOpenPairs(node.em(), team), 1);
      await node.em().execute("update runs.pair set dispatched_at = now() - interval '11 minutes'");
      assert.equal(await countOpenPairs(node.em(), team), 0);
      assert.deepEqual([...(await takeOverPairs(node.em(), team, [id], 15))], [[id, 2]]);
      assert.equal(await countOpenPairs(node.em(), team), 1);
    });
  });
}
