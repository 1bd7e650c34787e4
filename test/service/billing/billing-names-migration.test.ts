import assert from "node:assert/strict";
import { migrations } from "../../../services/billing/migrations/index.ts";
import { AccountEntity } from "../../../services/billing/payments/account.entity.ts";
import { drawTicket } from "../../../services/billing/payments/account.store.ts";
import { PLANS } from "../../../services/billing/plans.ts";
import { countRun, findUnconfirmed, UsageEntity } from "../../../services/billing/usage/usage.store.ts";
import { describeMigration } from "../../support/databases/describe-migration.ts";
import { readCatalog, revertFrom } from "../../support/databases/revert-migration.ts";

const START = "2026-11-01T00:00:00Z";

const ROWS = [
  `insert into billing.usage (team_id, period_start, runs, screenshots) values ('team', '${START}', 1, 2)`,
  `insert into billing.taken (run_id, team_id, period_start, screenshots, taken_at)
   values ('run_1', 'team', '${START}', 2, now() - interval '1 hour')`,
  `insert into billing.notice (team_id, period_start, allowance, percent, usage_limit, used, noticed_at, told_at)
   values ('team', '${START}', 'runs', 80, 50, 40, now(), now())`,
  `insert into billing.account (team_id, customer_id, asked, answered, looked_at) values ('team', 'cus_1', 6, 5, now())`,
  "insert into billing.change (id, team_id, type, plan, was, told_at) values ('act_1', 'team', 'plan.changed', 'pro', 'free', now())",
];

describeMigration(
  "The migration of billing to the standard names",
  { schema: "billing", entities: [UsageEntity, AccountEntity], migrations, name: "-standard-names" },
  schema => {
    it("keeps every row, and can be reverted", async () => {
      for (const row of ROWS) await schema.em().execute(row);
      const catalog = await readCatalog(schema.em(), "billing");
      await schema.migrate();
      const age = { minMs: 0, maxMs: 24 * 3_600_000 };
      assert.deepEqual(await findUnconfirmed(schema.em(), age, { after: "", limit: 9 }), ["run_1"]);
      const run = { runId: "run_1", teamId: "team", periodStart: new Date(START), screenshots: 2 };
      assert.equal(await countRun(schema.em(), run, PLANS.free), "counted");
      assert.deepEqual(await drawTicket(schema.em(), "team"), { ticket: 7, customerId: "cus_1" });
      const account = await schema.em().findOneOrFail(AccountEntity, { teamId: "team" });
      assert.deepEqual([account.lastTicket, account.appliedTicket], [7, 5]);
      const sent = await schema.em().execute(
        `select sent_at is not null as "isSent", published_at is not null as "isPublished"
         from billing.notice, billing.change`,
      );
      assert.deepEqual(sent, [{ isSent: true, isPublished: true }]);

      await revertFrom(schema.em(), migrations, "-standard-names");
      assert.deepEqual(await readCatalog(schema.em(), "billing"), catalog);
      const [old] = await schema.em().execute("select asked, answered from billing.account");
      assert.deepEqual(old, { asked: 7, answered: 5 });
    });
  },
);
