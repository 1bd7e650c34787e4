import assert from "node:assert/strict";
import { leaseDueChecks, updateCheck } from "../../../services/scm/checks/check.store.ts";
import { CheckRunEntity } from "../../../services/scm/checks/check-run.entity.ts";
import { NO_FULL_LANES } from "../../../services/scm/lanes/lanes.ts";
import { migrations } from "../../../services/scm/migrations/index.ts";
import { putPull } from "../../../services/scm/pull-requests/pull.store.ts";
import { leaseDelivery } from "../../../services/scm/webhooks/delivery.store.ts";
import { describeMigration } from "../../support/databases/describe-migration.ts";

describeMigration(
  "The migration of scm to numbered leases",
  { schema: "scm", entities: [CheckRunEntity], migrations, name: "-claims" },
  schema => {
    it("keeps checks, pull requests, and leased deliveries working", async () => {
      await schema.em().execute(
        `insert into scm.check_run (id, installation_id, repo_id, owner, repo, sha, preview_url, attempt, tries, created_at,
           give_up_at, look_at) values ('chr_1', '1', '2', 'octo', 'site', 'abc', '', 1, 0, now(), now(), now())`,
      );
      const head = { number: 7, branch: "topic", base: "main", fromFork: false };
      await schema.em().execute(
        `insert into scm.pull_request (repo_id, number, owner, repo, head_sha, head, is_open)
         values ('2', 7, 'octo', 'site', 'abc', ?::jsonb, true)`,
        [JSON.stringify(head)],
      );
      await schema
        .em()
        .execute(
          "insert into scm.delivery (id, taken_at, done_at) values ('done', now(), now()), ('taken', now() - interval '20 seconds', null)",
        );
      await schema.migrate();
      const [due] = await leaseDueChecks(schema.em(), NO_FULL_LANES);
      assert.ok(due);
      const { check } = due;
      assert.equal(check.lease, 2, "another node may have started it");
      assert.equal(await updateCheck(schema.em(), check, { note: "checked" }), true);
      const name = { repoId: "2", owner: "octo", repo: "site" };
      const moved = { ...head, sha: "def", updatedAt: "2026-01-01T00:00:00Z" };
      assert.equal(await putPull(schema.em(), name, moved, true), true);
      assert.equal(await leaseDelivery(schema.em(), "done", "mine"), "done");
      assert.equal(await leaseDelivery(schema.em(), "taken", "mine"), "mine");
    });
  },
);
