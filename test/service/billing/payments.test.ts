import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "mocha";
import { forgetAllGone } from "../../../services/billing/delete-team-data.ts";
import { adoptTeams, findOrOpenAccount, markGone } from "../../../services/billing/payments/account.store.ts";
import { takeDelivery } from "../../../services/billing/payments/handle-payment-event.ts";
import { readAccount } from "../../../services/billing/payments/read-account.ts";
import { settleAccounts } from "../../../services/billing/payments/settle-accounts.ts";
import { syncAccount } from "../../../services/billing/payments/sync-account.ts";
import { newId } from "../../../shared/ids.ts";
import { PaymentsRig } from "../../support/contexts/payments-context.ts";
import { PRICES } from "../../support/fakes/payment-account.ts";
import { DATABASES, type DatabaseKind } from "../../support/servers/databases.ts";

const FREE = { name: "free", retentionDays: 7 };
const PRO = { name: "pro", retentionDays: 30 };
const BUSINESS = { name: "business", retentionDays: 90 };
const DAY_MS = 24 * 3_600_000;
const TAKEN = { status: 200, body: { received: true, applied: true } };
const IGNORED = { status: 200, body: { received: true, applied: false } };

const paymentsOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    database.needed();
    let rig: PaymentsRig;

    before(async () => {
      rig = await PaymentsRig.start(database);
    });
    afterEach(() => {
      Object.assign(rig.server, { trouble: null, beforeList: null });
      rig.bus.refuses = false;
      assert.deepEqual(rig.server.faults, []);
    });
    after(() => rig?.stop());

    const view = async (teamId: string) => {
      const { name: plan } = await rig.node.planOf(teamId);
      return readAccount(rig.em(), teamId, { plan, enabled: true });
    };
    const settle = () => settleAccounts(rig.node);
    /** Lets so much time go by for a team. */
    const age = (teamId: string, interval: string) =>
      rig.sql(
        `update billing.account set synced_at = synced_at - i, cancels_at = cancels_at - i, renews_at = renews_at - i,
           grace_until = grace_until - i, kept_until = kept_until - i, checkout_at = checkout_at - i,
           looked_at = looked_at - i
         from (select ?::interval as i) by where team_id = ?`,
        [interval, teamId],
      );
    const lists = () => rig.server.asked.filter(request => request === "GET /v1/subscriptions").length;

    describe("an event", () => {
      it("counts only if the provider signed these very bytes a moment ago", async () => {
        const { teamId, subscription } = await rig.subscriber();
        subscription.status = "canceled";
        const good = rig.server.told("deleted", subscription);
        const refused = async (event: { body: string; signature?: string }, why: RegExp) => {
          const { status, body } = await rig.deliver(event);
          assert.equal(status, 400);
          assert.match(JSON.stringify(body), why);
        };
        const before = lists();
        await refused({ body: good.body }, /Stripe-Signature header is missing/);
        await refused({ ...good, signature: "v1=1" }, /must have the form/);
        await refused({ ...good, signature: "" }, /"error"/);
        await refused(
          rig.server.told("deleted", subscription, { secret: "whsec_other" }),
          /does not match the body/,
        );
        await refused(rig.server.told("deleted", subscription, { ageS: 301 }), /older than 300 seconds/);
        await refused({ ...good, body: JSON.stringify(JSON.parse(good.body)) }, /no proxy changes the body/);
        await refused({ ...good, body: good.body.replace("canceled", "active") }, /does not match the body/);
        await refused({ ...good, body: "" }, /does not match the body/);
        assert.equal(lists(), before, "nobody asks the provider for a stranger");
        assert.deepEqual(await rig.planOf(teamId), PRO);
        assert.deepEqual(await rig.deliver(good), TAKEN);
        assert.deepEqual(await rig.planOf(teamId), { ...FREE, retentionDays: 30 });
      });

      it("is refused with a right signature too, if it is none", async () => {
        for (const object of [null, "text", []]) {
          // biome-ignore lint/plugin: what the provider would never send.
          const { status } = await rig.deliver(rig.server.event("invoice.paid", object as object));
          assert.equal(status, 400);
        }
      });

      it("is applied once, and then costs the provider nothing", async () => {
        const { subscription, teamId } = await rig.subscriber();
        const event = rig.server.told("updated", subscription);
        assert.deepEqual(await rig.deliver(event), TAKEN);
        const before = lists();
        for (let copy = 0; copy < 3; copy++) assert.deepEqual(await rig.deliver(event), IGNORED);
        assert.equal(lists(), before);
        assert.deepEqual(rig.told(teamId), ["free → pro", "plan.changed"]);
      });

      it("is applied once when 50 copies come at once, on two nodes", async () => {
        const { subscription, teamId } = await rig.subscriber();
        const before = lists();
        subscription.price = PRICES.business;
        const event = rig.server.told("updated", subscription);
        const other = rig.another();
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, copy) => rig.deliver(event, copy % 2 ? other : rig.node)),
        );
        assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
        assert.equal(
          answers.filter(({ body }) => JSON.stringify(body) === JSON.stringify(TAKEN.body)).length,
          1,
        );
        assert.ok(lists() - before <= 4, "each node reads at most twice");
        assert.deepEqual(rig.told(teamId), ["free → pro", "plan.changed", "pro → business", "plan.changed"]);
      });

      it("may come in any order: how things stand is read, and not what it says", async () => {
        const { subscription, teamId } = await rig.subscriber();
        const updated = rig.server.told("updated", subscription);
        const created = rig.server.told("created", subscription);
        await rig.change(subscription, { status: "canceled" });
        for (const late of [updated, created]) assert.deepEqual(await rig.deliver(late), TAKEN);
        assert.equal((await rig.planOf(teamId)).name, "free");
        assert.deepEqual(rig.told(teamId), ["free → pro", "plan.changed", "pro → free", "plan.changed"]);
      });

      for (const trouble of ["away", "slow", 500, 429, 401] as const) {
        it(`comes again when the provider ${typeof trouble === "number" ? `answers ${trouble}` : `is ${trouble}`}`, async () => {
          const { subscription, teamId } = await rig.subscriber();
          subscription.price = PRICES.business;
          const event = rig.server.told("updated", subscription);
          rig.server.trouble = trouble;
          const { status, body } = await rig.deliver(event, trouble === "slow" ? rig.another(200) : rig.node);
          assert.equal(status, 503);
          assert.match(JSON.stringify(body), /Send it again/);
          assert.deepEqual(await rig.planOf(teamId), PRO);
          rig.server.trouble = null;
          assert.deepEqual(await rig.deliver(event), TAKEN);
          assert.deepEqual(await rig.planOf(teamId), BUSINESS);
          for (const secret of rig.server.secrets) assert.ok(!rig.warnings.join().includes(secret));
        });
      }

      it("is answered within one deadline, whatever attempts and readings it needs", async () => {
        const { subscription } = await rig.subscriber();
        rig.server.trouble = "slow";
        const node = rig.another(3_000);
        const begun = Date.now();
        // The second one's reading would begin only when the first one's is over.
        const events = [rig.server.told("updated", subscription), rig.server.told("updated", subscription)];
        const answers = await Promise.all(events.map(event => rig.deliver(event, node)));
        assert.deepEqual(
          answers.map(({ status }) => status),
          [503, 503],
        );
        const tookMs = Date.now() - begun;
        assert.ok(tookMs >= 2_900 && tookMs < 5_500, `${tookMs} ms`);
      });

      it("of somebody else's customer, or of what is no matter of ours, is taken and does nothing", async () => {
        const { subscription } = await rig.subscriber();
        const before = lists();
        const foreign = { ...subscription, customer: "cus_foreign" };
        assert.deepEqual(await rig.deliver(rig.server.told("updated", foreign)), IGNORED);
        const { customer } = subscription;
        assert.deepEqual(
          await rig.deliver(rig.server.event("charge.refunded", { object: "charge", customer })),
          IGNORED,
        );
        assert.deepEqual(await rig.deliver(rig.server.event("payout.paid", { object: "payout" })), IGNORED);
        assert.equal(lists(), before);
      });

      it("is not taken where payments are not set up", async () => {
        const event = rig.server.event("invoice.paid", { object: "invoice" });
        const body = Buffer.from(event.body).toString("base64");
        const answer = await takeDelivery(null, {
          headers: { "stripe-signature": event.signature },
          params: {},
          body,
        });
        assert.equal(answer.status, 500);
      });

      it("names its customer in full, or is about the customer itself", async () => {
        const { subscription, teamId } = await rig.subscriber();
        subscription.price = PRICES.business;
        const customer = { id: subscription.customer, object: "customer" };
        assert.deepEqual(
          await rig.deliver(rig.server.event("invoice.paid", { object: "invoice", customer })),
          TAKEN,
        );
        assert.deepEqual(await rig.planOf(teamId), BUSINESS);
        const served = rig.server.customers.get(subscription.customer);
        assert.ok(served);
        served.deleted = true;
        assert.deepEqual(await rig.deliver(rig.server.event("customer.deleted", customer)), TAKEN);
        assert.equal((await rig.planOf(teamId)).name, "free");
      });
    });

    describe("a plan", () => {
      it("is free until it is paid for, and then what the price says", async () => {
        assert.deepEqual(await rig.planOf(newId("team")), FREE);
        const { teamId, subscription } = await rig.subscriber("business");
        assert.deepEqual(await rig.planOf(teamId), BUSINESS);
        const { renewsAt, ...others } = await view(teamId);
        assert.equal(renewsAt, new Date(subscription.periodEnd * 1_000).toISOString());
        assert.deepEqual(others, {
          enabled: true,
          plan: "business",
          status: "active",
          subscribedPlan: "business",
          cancelsAt: null,
          paymentFailed: false,
          graceUntil: null,
          historyKeptUntil: null,
        });
      });

      it("stays for seven days after a payment failed, however often it fails, and comes back when it is paid", async () => {
        const { teamId, subscription } = await rig.subscriber();
        await rig.change(subscription, { status: "past_due" });
        const first = await view(teamId);
        assert.deepEqual([first.plan, first.status, first.paymentFailed], ["pro", "past_due", true]);
        const graceMs = Date.parse(first.graceUntil ?? "") - Date.now();
        assert.ok(Math.abs(graceMs - 7 * DAY_MS) < 3_600_000, first.graceUntil ?? "");
        await age(teamId, "6 days");
        await rig.tell("updated", subscription);
        await settle();
        assert.equal((await view(teamId)).plan, "pro");
        await age(teamId, "1 day");
        rig.server.trouble = "away";
        await Promise.allSettled([settle(), settle()]);
        rig.server.trouble = null;
        const over = await view(teamId);
        assert.deepEqual([over.plan, over.subscribedPlan, over.status], ["free", "pro", "past_due"]);
        await rig.tell("updated", subscription);
        assert.equal((await view(teamId)).plan, "free", "another failed payment is no new grace");
        await rig.change(subscription, { status: "active" });
        const paid = await view(teamId);
        assert.deepEqual([paid.plan, paid.paymentFailed, paid.graceUntil], ["pro", false, null]);
        const changes = rig.told(teamId).filter(name => name !== "plan.changed");
        assert.deepEqual(changes, ["free → pro", "payment.failed", "pro → free", "free → pro"]);
      });

      for (const status of ["unpaid", "canceled", "paused", "incomplete", "incomplete_expired", "invented"]) {
        it(`is free at once when the subscription is ${status}`, async () => {
          const { teamId, subscription } = await rig.subscriber();
          await rig.change(subscription, { status });
          assert.equal((await rig.planOf(teamId)).name, "free");
        });
      }

      it("stays to the end of the period after a cancellation, and ends then though nobody says so", async () => {
        const { teamId, subscription } = await rig.subscriber();
        await rig.change(subscription, { cancelAtPeriodEnd: true });
        const canceled = await view(teamId);
        const end = new Date(subscription.periodEnd * 1_000).toISOString();
        assert.deepEqual([canceled.plan, canceled.cancelsAt, canceled.renewsAt], ["pro", end, null]);
        rig.server.trouble = "away";
        await age(teamId, "31 days");
        await assert.rejects(settle());
        assert.equal((await rig.planOf(teamId)).name, "free");
        rig.server.trouble = null;
        await rig.change(subscription, {
          cancelAtPeriodEnd: false,
          periodEnd: subscription.periodEnd + 86_400,
        });
        assert.deepEqual(await rig.planOf(teamId), PRO, "taken back");
        await rig.change(subscription, { cancelAt: subscription.created + 3_600 });
        assert.equal(
          (await view(teamId)).cancelsAt,
          new Date((subscription.created + 3_600) * 1_000).toISOString(),
        );
      });

      it("changes at once with the price, and runs are kept on for 30 days when it is a smaller one", async () => {
        const { teamId, subscription } = await rig.subscriber();
        await rig.change(subscription, { price: PRICES.business });
        assert.deepEqual(await rig.planOf(teamId), BUSINESS);
        await rig.change(subscription, { price: PRICES.pro });
        assert.deepEqual(await rig.planOf(teamId), { name: "pro", retentionDays: 90 });
        await age(teamId, "10 days");
        await rig.change(subscription, { status: "canceled" });
        assert.deepEqual(await rig.planOf(teamId), { name: "free", retentionDays: 90 });
        const { historyKeptUntil } = await view(teamId);
        assert.ok(Math.abs(Date.parse(historyKeptUntil ?? "") - Date.now() - 30 * DAY_MS) < 3_600_000);
        await age(teamId, "30 days");
        assert.deepEqual(await rig.planOf(teamId), FREE);
        assert.equal((await view(teamId)).historyKeptUntil, null);
      });

      it("is held by a price that is sold no more; a price of no plan leaves it as it is", async () => {
        const { teamId, subscription } = await rig.subscriber("business");
        await rig.change(subscription, { price: PRICES.proBefore });
        assert.equal((await rig.planOf(teamId)).name, "pro");
        await rig.change(subscription, { price: "price_other" });
        assert.equal((await rig.planOf(teamId)).name, "pro");
        assert.match(
          rig.warnings.join("\n"),
          new RegExp(`${subscription.id} of ${teamId} has a price that belongs to no plan`),
        );
        await rig.change(subscription, { status: "canceled" });
        assert.equal((await rig.planOf(teamId)).name, "free");
        rig.server.subscribe(subscription.customer, {
          price: "price_other",
          created: subscription.created + 9,
        });
        await syncAccount(rig.node, teamId);
        assert.equal((await rig.planOf(teamId)).name, "free", "what it had before is no plan of this one");
      });

      it("is the largest of those that are paid for", async () => {
        const { teamId, subscription } = await rig.subscriber("business");
        const { customer, created } = subscription;
        const second = rig.server.subscribe(customer, { created: created + 5 });
        for (let old = 0; old < 120; old++)
          rig.server.subscribe(customer, {
            status: "canceled",
            price: PRICES.business,
            created: created + 6 + old,
          });
        await rig.tell("created", second);
        assert.equal((await rig.planOf(teamId)).name, "business");
        await rig.change(subscription, { status: "past_due" });
        assert.equal((await rig.planOf(teamId)).name, "pro");
        await rig.change(second, { status: "canceled" });
        assert.equal((await rig.planOf(teamId)).name, "business", "in its time of grace");
      });

      it("is what was read last, when two nodes read at once", async () => {
        const { teamId, subscription } = await rig.subscriber();
        const [isRead, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        rig.server.beforeList = () => {
          isRead.resolve();
          return mayAnswer.promise;
        };
        const early = syncAccount(rig.node, teamId);
        await isRead.promise;
        rig.server.beforeList = null;
        Object.assign(subscription, { status: "canceled" });
        await syncAccount(rig.another(), teamId);
        mayAnswer.resolve();
        await early;
        assert.equal((await rig.planOf(teamId)).name, "free");
      });
    });

    describe("the sweep", () => {
      it("finds what no event has told: a payment, a renewal that failed, a subscription that is a day unread", async () => {
        const { teamId, subscription } = await rig.subscriber();
        const asks = async () => {
          const before = lists();
          await settle();
          return lists() > before;
        };
        await settle();
        assert.equal(await asks(), false, "nobody is asked for nothing");
        subscription.status = "unpaid";
        await age(teamId, "25 hours");
        assert.equal(await asks(), true);
        assert.equal((await rig.planOf(teamId)).name, "free");
        Object.assign(subscription, { status: "active", periodEnd: subscription.created - 7_200 });
        await rig.tell("updated", subscription);
        await age(teamId, "61 minutes");
        subscription.status = "past_due";
        assert.equal(await asks(), true, "its period is over");
        assert.equal((await view(teamId)).status, "past_due");
        assert.equal(await asks(), false, "the provider takes a while");
      });

      it("reads again what could not be read, once the provider is back", async () => {
        const { teamId, subscription } = await rig.subscriber();
        subscription.price = PRICES.business;
        rig.server.trouble = 500;
        assert.equal((await rig.deliver(rig.server.told("updated", subscription))).status, 503);
        await age(teamId, "2 minutes");
        await assert.rejects(settle());
        rig.server.trouble = null;
        await age(teamId, "6 minutes");
        await settle();
        assert.equal((await rig.planOf(teamId)).name, "business");
      });

      it("tells what could not be told", async () => {
        rig.bus.refuses = true;
        const { teamId } = await rig.subscriber();
        assert.deepEqual(await rig.planOf(teamId), PRO, "that is no fault of the event");
        rig.bus.refuses = false;
        await settle();
        assert.deepEqual(rig.told(teamId), ["free → pro"], "whoever wrote it down may be telling it now");
        await rig.sql("update billing.change set at = at - interval '2 minutes'");
        await settle();
        await settle();
        assert.deepEqual(rig.told(teamId), ["free → pro", "free → pro", "plan.changed"]);
      });

      it("asks about each team once, however many nodes settle at once", async () => {
        const teams = [await rig.subscriber(), await rig.subscriber(), await rig.subscriber()];
        await settle();
        for (const { teamId } of teams) await age(teamId, "25 hours");
        const before = lists();
        await Promise.all(Array.from({ length: 4 }, () => settleAccounts(rig.another())));
        assert.equal(lists() - before, teams.length);
      });

      it("asks about everybody else before it asks again about whom the provider refuses", async () => {
        const [first, second] = [await rig.subscriber(), await rig.subscriber()];
        await settle();
        await age(first.teamId, "50 hours");
        await age(second.teamId, "25 hours");
        rig.server.trouble = 402;
        await settleAccounts(rig.node, 1);
        rig.server.trouble = null;
        for (const { teamId } of [first, second]) await age(teamId, "10 minutes");
        await settleAccounts(rig.node, 1);
        const read = async (teamId: string) =>
          (
            await rig.sql(
              "select synced_at > now() - interval '1 hour' as read from billing.account where team_id = ?",
              [teamId],
            )
          )[0]?.read;
        assert.deepEqual([await read(first.teamId), await read(second.teamId)], [false, true]);
        await settleAccounts(rig.node, 1);
        assert.equal(await read(first.teamId), true);
      });

      it("forgets what a team used that is gone when nobody has told, and that it had an account", async () => {
        const teams = Array.from({ length: 300 }, () => newId("team"));
        const [there = "", ...gone] = teams;
        await rig.sql(
          `insert into billing.usage select id, now(), 1, 1 from jsonb_array_elements_text(?::jsonb) as v (id)`,
          [JSON.stringify(teams)],
        );
        const visitor = newId("team");
        await findOrOpenAccount(rig.em(), visitor);
        for (const teamId of [...gone, visitor]) rig.bus.gone.add(teamId);
        await forgetAllGone(rig.node);
        const rows = await rig.sql("select team_id as id from billing.usage");
        const left = new Set(rows.map(({ id }) => id));
        assert.deepEqual(
          teams.filter(id => left.has(id)),
          [there],
        );
        await settle();
        assert.deepEqual(await rig.sql("select from billing.account where team_id = ?", [visitor]), []);
      });

      it("finds out that a team is gone when nobody has told", async () => {
        const [there, gone] = [await rig.subscriber(), await rig.subscriber()];
        rig.bus.gone.add(gone.teamId);
        for (const { teamId } of [there, gone]) await age(teamId, "25 hours");
        await settle();
        assert.deepEqual([there.subscription.status, gone.subscription.status], ["active", "canceled"]);
        assert.equal((await rig.planOf(there.teamId)).name, "pro");
      });

      it("ends what a team pays for that is gone, though the provider is away at first", async () => {
        const { teamId, subscription } = await rig.subscriber();
        await markGone(rig.em(), teamId);
        rig.server.trouble = "away";
        await assert.rejects(settle());
        assert.equal(subscription.status, "active");
        rig.server.trouble = null;
        await age(teamId, "6 minutes");
        await Promise.allSettled([settle(), settle()]);
        await settle();
        assert.equal(subscription.status, "canceled");
        assert.deepEqual(await rig.sql("select from billing.account where team_id = ?", [teamId]), []);
        assert.deepEqual(await rig.deliver(rig.server.told("deleted", subscription)), IGNORED);
      });
    });

    it("lets teams that were there before down as any other, the first time that payments are set up", async () => {
      const [old, later] = [newId("team"), newId("team")];
      const use = (teamId: string) =>
        rig.sql("insert into billing.usage values (?, now(), 1, 1) on conflict do nothing", [teamId]);
      await use(old);
      await use("team_default");
      await adoptTeams(rig.em(), "business", "team_default");
      assert.deepEqual(await rig.planOf(old), BUSINESS);
      await settle();
      assert.deepEqual(await rig.planOf(old), { name: "free", retentionDays: 90 });
      assert.deepEqual(rig.told(old), ["business → free", "plan.changed"]);
      await use(later);
      await adoptTeams(rig.em(), "business", "team_default");
      for (const never of [later, "team_default"]) assert.deepEqual(await rig.planOf(never), FREE);
    });
  };

for (const database of DATABASES) describe(`Payments on ${database.name}`, paymentsOn(database));
