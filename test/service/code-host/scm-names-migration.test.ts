import assert from "node:assert/strict";
import { CheckRunEntity } from "../../../services/scm/checks/check-run.entity.ts";
import { findPendingApp } from "../../../services/scm/code-host/pending-app.store.ts";
import { leaseExternalRuns } from "../../../services/scm/external-runs/external-run.store.ts";
import { StandardNames } from "../../../services/scm/migrations/2026-11-29-standard-names.ts";
import { migrations } from "../../../services/scm/migrations/index.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { readCatalog, revertMigration } from "../../support/databases/revert-migration.ts";

const BEFORE = migrations.slice(
  0,
  migrations.findIndex(({ class: each }) => each === StandardNames),
);

const ROWS = [
  `insert into scm.check_run (id, installation_id, repo_id, owner, repo, sha, preview_url, attempt, told, tries, created_at,
     give_up_at, look_at, nudged_at, claim, claimed_at, claimed_until)
   values ('chr_1', '1', '2', 'octo', 'site', 'abc', '', 1, 'digest', 3, now(), now(), now(), now(), 4, now(), now())`,
  `insert into scm.pull_request (repo_id, number, owner, repo, head_sha, head, is_open, comment_turn, comment_until)
   values ('2', 7, 'octo', 'site', 'abc', '{}', true, 5, now())`,
  "insert into scm.delivery (id, taken_at, claim, tries) values ('one', now(), 'mine', 2)",
  `insert into scm.bootstrap (installation_id, repo_id, owner, repo, state, tries, asked_at)
   values ('1', '2', 'octo', 'site', 'waiting', 6, now())`,
  "insert into scm.adoption (run_id, tries, asked_at, due_at) values ('run_1', 1, now(), now())",
  "insert into scm.begun_app (state_hash, actor_id, created_at) values ('hash', 'user_1', now())",
];

for (const kind of DATABASES) {
  describe(`The migration of scm to the standard names, on ${kind.name}`, () => {
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

    it("keeps every row, and can be reverted", async () => {
      for (const row of ROWS) await node.em().execute(row);
      const catalog = await readCatalog(node.em(), "scm");
      await start(migrations);
      const check = await node.em().findOneOrFail(CheckRunEntity, { id: "chr_1" });
      assert.deepEqual([check.lastReportedDigest, check.failures, check.lease], ["digest", 3, 4]);
      assert.ok(check.deadlineAt && check.nextCheckAt && check.wakeAt && check.leasedAt && check.leasedUntil);
      const others = await node.em().execute(
        `select comment_lease, lease, retries, failures from scm.pull_request, scm.delivery, scm.bootstrap
         where comment_leased_until <= now() and leased_at <= now() and requested_at <= now()`,
      );
      assert.deepEqual(others, [{ comment_lease: 5, lease: "mine", retries: 2, failures: 6 }]);
      assert.equal((await findPendingApp(node.em(), "hash"))?.actorId, "user_1");
      assert.deepEqual(await leaseExternalRuns(node.em(), 1), [
        { runId: "run_1", teamId: null, attempts: 2 },
      ]);

      await revertMigration(node.em(), StandardNames);
      assert.deepEqual(await readCatalog(node.em(), "scm"), catalog);
      const [old] = await node.em().execute("select told, tries, claim from scm.check_run");
      assert.deepEqual(old, { told: "digest", tries: 3, claim: 4 });
    });
  });
}
