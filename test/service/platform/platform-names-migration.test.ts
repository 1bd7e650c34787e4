import assert from "node:assert/strict";
import { findRecipient } from "../../../services/platform/deliveries/recipient.store.ts";
import { ConsentEntity } from "../../../services/platform/installs/consent.entity.ts";
import { deletePendingInstall } from "../../../services/platform/installs/install.store.ts";
import { StandardNames } from "../../../services/platform/migrations/2026-11-29-standard-names.ts";
import { migrations } from "../../../services/platform/migrations/index.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { readCatalog, revertMigration } from "../../support/databases/revert-migration.ts";

const BEFORE = migrations.slice(
  0,
  migrations.findIndex(({ class: each }) => each === StandardNames),
);

const ROWS = [
  "insert into platform.install (configuration_id, owner_id, all_projects, installed_at) values ('c', 'o', true, now())",
  "insert into platform.delivery (id, claim, claimed_at) values ('one', 'mine', now())",
  "insert into platform.team (configuration_id, claimed_at, decided_at) values ('c', now(), now())",
  "insert into platform.begun (state_hash, browser_hash, created_at) values ('state', 'browser', now())",
];

for (const kind of DATABASES) {
  describe(`The migration of platform to the standard names, on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let node: DatabaseNode;

    const start = async (which: typeof migrations) => {
      await node?.stop();
      node = await DatabaseNode.start(database.env, {
        schema: "platform",
        entities: [ConsentEntity],
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

    it("keeps every row, and can be reverted", async () => {
      for (const row of ROWS) await node.em().execute(row);
      const catalog = await readCatalog(node.em(), "platform");
      await start(migrations);
      const [delivery] = await node
        .em()
        .execute("select lease from platform.delivery where leased_at <= now()");
      assert.deepEqual(delivery, { lease: "mine" });
      const owner = { configurationId: "c", projectId: null, ownerId: null };
      assert.equal((await findRecipient(node.em(), owner))?.isDecided, true);
      const pending = { stateHash: "state", browserHash: "browser" };
      assert.equal(await deletePendingInstall(node.em(), pending), true);

      await revertMigration(node.em(), StandardNames);
      assert.deepEqual(await readCatalog(node.em(), "platform"), catalog);
      assert.deepEqual(await node.em().execute("select claim from platform.delivery"), [{ claim: "mine" }]);
    });
  });
}
