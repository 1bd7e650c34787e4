import assert from "node:assert/strict";
import { leaseDueChecks, updateCheck } from "../../../services/scm/checks/check.store.ts";
import { CheckRunEntity } from "../../../services/scm/checks/check-run.entity.ts";
import { migrations } from "../../../services/scm/migrations/index.ts";
import { putPull } from "../../../services/scm/pull-requests/pull.store.ts";
import { leaseDelivery } from "../../../services/scm/webhooks/delivery.store.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { DATABASES, type TestDatabase } from "../../support/databases/databases.ts";

const BEFORE = migrations.slice(
  0,
  migrations.findIndex(({ name }) => name.endsWith("-claims")),
);

for (const kind of DATABASES) {
  describe(`The migration of scm to numbered leases, on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let node: DatabaseNode;

    const start = async (which: typeof migrations) => {
      await node?.stop();
      node = await DatabaseNode.start(database.env, {
        schema: "scm",
        entities: [CheckRunEntity],
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

    it("keeps checks, pull requests, and leased deliveries working", async () => {
      await node.em().execute(
        `insert into scm.check_run (id, installation_id, repo_id, owner, repo, sha, preview_url, attempt, tries, created_at,
           give_up_at, look_at) values ('chr_1', '1', '2', 'octo', 'site', 'abc', '', 1, 0, now(), now(), now())`,
      );
      const head = { number: 7, branch: "topic", base: "main", fromFork: false };
      await node.em().execute(
        `insert into scm.pull_request (repo_id, number, owner, repo, head_sha, head, is_open)
         values ('2', 7, 'octo', 'site', 'abc', ?::jsonb, true)`,
        [JSON.stringify(head)],
      );
      await node
        .em()
        .execute(
          "insert into scm.delivery (id, taken_at, done_at) values ('done', now(), now()), ('taken', now() - interval '20 seconds', null)",
        );
      await start(migrations);
      const [check] = await leaseDueChecks(node.em(), 1);
      assert.ok(check);
      assert.equal(check.lease, 2, "another node may have started it");
      assert.equal(await updateCheck(node.em(), check, { note: "checked" }), true);
      const name = { repoId: "2", owner: "octo", repo: "site" };
      const moved = { ...head, sha: "def", updatedAt: "2026-01-01T00:00:00Z" };
      assert.equal(await putPull(node.em(), name, moved, true), true);
      assert.equal(await leaseDelivery(node.em(), "done", "mine"), "done");
      assert.equal(await leaseDelivery(node.em(), "taken", "mine"), "mine");
    });
  });
}
