import assert from "node:assert/strict";
import { CheckRunEntity } from "../../../services/scm/checks/check-run.entity.ts";
import { findPendingApp } from "../../../services/scm/code-host/github/pending-app.store.ts";
import { leaseExternalRuns } from "../../../services/scm/external-runs/external-run.store.ts";
import { NO_FULL_LANES } from "../../../services/scm/lanes/lanes.ts";
import { migrations } from "../../../services/scm/migrations/index.ts";
import { describeMigration } from "../../support/databases/describe-migration.ts";
import { readCatalog, revertFrom } from "../../support/databases/revert-migration.ts";

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

describeMigration(
  "The migration of scm to the standard names",
  { schema: "scm", entities: [CheckRunEntity], migrations, name: "-standard-names" },
  schema => {
    it("keeps every row, and can be reverted", async () => {
      for (const row of ROWS) await schema.em().execute(row);
      const catalog = await readCatalog(schema.em(), "scm");
      await schema.migrate();
      const check = await schema.em().findOneOrFail(CheckRunEntity, { id: "chr_1" });
      assert.deepEqual([check.lastReportedDigest, check.failures, check.lease], ["digest", 3, 4]);
      assert.ok(check.deadlineAt && check.nextCheckAt && check.wakeAt && check.leasedAt && check.leasedUntil);
      const others = await schema.em().execute(
        `select comment_lease, lease, retries, failures from scm.pull_request, scm.delivery, scm.bootstrap
         where comment_leased_until <= now() and leased_at <= now() and requested_at <= now()`,
      );
      assert.deepEqual(others, [{ comment_lease: 5, lease: "mine", retries: 2, failures: 6 }]);
      assert.equal((await findPendingApp(schema.em(), "hash"))?.actorId, "user_1");
      assert.deepEqual(await leaseExternalRuns(schema.em(), NO_FULL_LANES), [
        { runId: "run_1", teamId: null, attempts: 2, lane: "run_1", host: "app", team: "app" },
      ]);

      await revertFrom(schema.em(), migrations, "-standard-names");
      assert.deepEqual(await readCatalog(schema.em(), "scm"), catalog);
      const [old] = await schema.em().execute("select told, tries, claim from scm.check_run");
      assert.deepEqual(old, { told: "digest", tries: 3, claim: 4 });
    });
  },
);
