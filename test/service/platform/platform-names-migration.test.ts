import assert from "node:assert/strict";
import { findRecipient } from "../../../services/platform/deliveries/recipient.store.ts";
import { ConsentEntity } from "../../../services/platform/installs/consent.entity.ts";
import { deletePendingInstall } from "../../../services/platform/installs/install.store.ts";
import { migrations } from "../../../services/platform/migrations/index.ts";
import { describeMigration } from "../../support/databases/describe-migration.ts";
import { readCatalog, revertFrom } from "../../support/databases/revert-migration.ts";

const ROWS = [
  "insert into platform.install (configuration_id, owner_id, all_projects, installed_at) values ('c', 'o', true, now())",
  "insert into platform.delivery (id, claim, claimed_at) values ('one', 'mine', now())",
  "insert into platform.team (configuration_id, claimed_at, decided_at) values ('c', now(), now())",
  "insert into platform.begun (state_hash, browser_hash, created_at) values ('state', 'browser', now())",
];

describeMigration(
  "The migration of platform to the standard names",
  { schema: "platform", entities: [ConsentEntity], migrations, name: "-standard-names" },
  schema => {
    it("keeps every row, and can be reverted", async () => {
      for (const row of ROWS) await schema.em().execute(row);
      const catalog = await readCatalog(schema.em(), "platform");
      await schema.migrate();
      const [delivery] = await schema
        .em()
        .execute("select lease from platform.delivery where leased_at <= now()");
      assert.deepEqual(delivery, { lease: "mine" });
      const owner = { configurationId: "c", projectId: null, ownerId: null };
      assert.equal((await findRecipient(schema.em(), owner))?.isDecided, true);
      const pending = { stateHash: "state", browserHash: "browser" };
      assert.equal(await deletePendingInstall(schema.em(), pending), true);

      await revertFrom(schema.em(), migrations, "-standard-names");
      assert.deepEqual(await readCatalog(schema.em(), "platform"), catalog);
      assert.deepEqual(await schema.em().execute("select claim from platform.delivery"), [{ claim: "mine" }]);
    });
  },
);
