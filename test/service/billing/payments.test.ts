import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "mocha";
import { deleteAllGone } from "../../../services/billing/delete-team-data.ts";
import {
  createInitialAccounts,
  findAccount,
  findOrOpenAccount,
  markGone,
} from "../../../services/billing/payments/account.store.ts";
import { receivePaymentEvent } from "../../../services/billing/payments/handle-payment-event.ts";
import { readAccount } from "../../../services/billing/payments/read-account.ts";
import { reconcileAccounts } from "../../../services/billing/payments/reconcile-accounts.ts";
import { syncAccount } from "../../../services/billing/payments/sync-account.ts";
import { newId } from "../../../shared/ids.ts";
import { PaymentsTestContext } from "../../support/contexts/payments-context.ts";
import { type DatabaseKind, MAIN_DATABASES } from "../../support/databases/databases.ts";
import { PRICES } from "../../support/fakes/payment-account.ts";
import {
  ageAccount,
  ageChanges,
  insertUsage,
  readTeamsWithUsage,
  wasJustSynced,
} from "../../support/rows/billing-rows.ts";

const FREE = { name: "free", retentionDays: 7 };
const PRO = { name: "pro", retentionDays: 30 };
const BUSINESS = { name: "business", retentionDays: 90 };
const DAY_MS = 24 * 3_600_000;
const TAKEN = { status: 200, body: { received: true, applied: true } };
const IGNORED = { status: 200, body: { received: true, applied: false } };

const paymentsOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    database.needed();
    let context: PaymentsTestContext;

    before(async () => {
      context = await PaymentsTestContext.start(database);
    });
    afterEach(() => {
      Object.assign(context.server, { trouble: null, beforeList: null });
      context.bus.isRefusing = false;
      assert.deepEqual(context.server.invalidRequests, []);
    });
    after(() => context?.stop());

    const view = async (teamId: string) => {
      const { name: plan } = await context.node.planOf(teamId);
      return readAccount(context.em(), teamId, { plan, enabled: true });
    };
    const reconcile = () => reconcileAccounts(context.node);
    const age = (teamId: string, interval: string) => ageAccount(context.em(), teamId, interval);
    const lists = () => context.server.requests.filter(request => request === "GET /v1/subscriptions").length;

    describe("an event", () => {
      it("counts only if the provider signed these bytes recently", async () => {
        const { teamId, subscription } = await context.subscriber();
        subscription.status = "canceled";
        const good = context.server.subscriptionEvent("deleted", subscription);
        const refused = async (event: { body: string; signature?: string }, why: RegExp) => {
          const { status, body } = await context.deliver(event);
          assert.equal(status, 400);
          assert.match(JSON.stringify(body), why);
        };
        const before = lists();
        await refused({ body: good.body }, /Stripe-Signature header is missing/);
        await refused({ ...good, signature: "v1=1" }, /must have the form/);
        await refused({ ...good, signature: "" }, /"error"/);
        await refused(
          context.server.subscriptionEvent("deleted", subscription, { secret: "whsec_other" }),
          /does not match the body/,
        );
        await refused(
          context.server.subscriptionEvent("deleted", subscription, { ageS: 301 }),
          /older than 300 seconds/,
        );
        await refused({ ...good, body: JSON.stringify(JSON.parse(good.body)) }, /no proxy changes the body/);
        await refused({ ...good, body: good.body.replace("canceled", "active") }, /does not match the body/);
        await refused({ ...good, body: "" }, /does not match the body/);
        assert.equal(lists(), before, "nobody asks the provider for a stranger");
        assert.deepEqual(await context.planOf(teamId), PRO);
        assert.deepEqual(await context.deliver(good), TAKEN);
        assert.deepEqual(await context.planOf(teamId), { ...FREE, retentionDays: 30 });
      });

      it("is refused with a valid signature if it is no event", async () => {
        for (const object of [null, "text", []]) {
          // biome-ignore lint/plugin: the provider would never send this.
          const { status } = await context.deliver(context.server.event("invoice.paid", object as object));
          assert.equal(status, 400);
        }
      });

      it("is applied once, and a repeat sends the provider no request", async () => {
        const { subscription, teamId } = await context.subscriber();
        const event = context.server.subscriptionEvent("updated", subscription);
        assert.deepEqual(await context.deliver(event), TAKEN);
        const before = lists();
        for (let copy = 0; copy < 3; copy++) assert.deepEqual(await context.deliver(event), IGNORED);
        assert.equal(lists(), before);
        assert.deepEqual(context.sent(teamId), ["free → pro", "plan.changed"]);
      });

      it("is applied once for 50 concurrent copies on two nodes", async () => {
        const { subscription, teamId } = await context.subscriber();
        const before = lists();
        subscription.price = PRICES.business;
        const event = context.server.subscriptionEvent("updated", subscription);
        const other = context.another();
        let busy = 0;
        /** Repeats it, as the provider does, if a node on a busy machine doesn't answer in time. */
        const deliver = async (node: typeof other) => {
          const answer = await context.deliver(event, node);
          if (answer.status !== 503) return answer;
          busy += 1;
          return deliver(node);
        };
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, copy) => deliver(copy % 2 ? other : context.node)),
        );
        assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
        const taken = answers.filter(
          ({ body }) => JSON.stringify(body) === JSON.stringify(TAKEN.body),
        ).length;
        assert.ok(taken === 1 || (taken === 0 && busy > 0), `${taken} of ${answers.length}`);
        assert.ok(lists() - before <= 4 + busy, "each node reads at most twice");
        assert.deepEqual(context.sent(teamId), [
          "free → pro",
          "plan.changed",
          "pro → business",
          "plan.changed",
        ]);
      });

      it("can arrive in any order, because the subscription is read again", async () => {
        const { subscription, teamId } = await context.subscriber();
        const updated = context.server.subscriptionEvent("updated", subscription);
        const created = context.server.subscriptionEvent("created", subscription);
        await context.change(subscription, { status: "canceled" });
        for (const late of [updated, created]) assert.deepEqual(await context.deliver(late), TAKEN);
        assert.equal((await context.planOf(teamId)).name, "free");
        assert.deepEqual(context.sent(teamId), ["free → pro", "plan.changed", "pro → free", "plan.changed"]);
      });

      for (const trouble of ["away", "slow", 500, 429, 401] as const) {
        it(`must be sent again when the provider ${typeof trouble === "number" ? `returns ${trouble}` : `is ${trouble}`}`, async () => {
          const { subscription, teamId } = await context.subscriber();
          subscription.price = PRICES.business;
          const event = context.server.subscriptionEvent("updated", subscription);
          context.server.trouble = trouble;
          const { status, body } = await context.deliver(
            event,
            trouble === "slow" ? context.another(200) : context.node,
          );
          assert.equal(status, 503);
          assert.match(JSON.stringify(body), /Send it again/);
          assert.deepEqual(await context.planOf(teamId), PRO);
          context.server.trouble = null;
          assert.deepEqual(await context.deliver(event), TAKEN);
          assert.deepEqual(await context.planOf(teamId), BUSINESS);
          for (const secret of context.server.secrets) assert.ok(!context.warnings.join().includes(secret));
        });
      }

      it("is answered within one deadline, for any number of attempts and readings", async () => {
        const { subscription } = await context.subscriber();
        context.server.trouble = "slow";
        const node = context.another(3_000);
        const begun = Date.now();
        // The second node reads only after the first has finished.
        const events = [
          context.server.subscriptionEvent("updated", subscription),
          context.server.subscriptionEvent("updated", subscription),
        ];
        const answers = await Promise.all(events.map(event => context.deliver(event, node)));
        assert.deepEqual(
          answers.map(({ status }) => status),
          [503, 503],
        );
        const tookMs = Date.now() - begun;
        assert.ok(tookMs >= 2_900 && tookMs < 5_500, `${tookMs} ms`);
      });

      it("of another customer or of another type is accepted and changes nothing", async () => {
        const { subscription } = await context.subscriber();
        const before = lists();
        const foreign = { ...subscription, customer: "cus_foreign" };
        assert.deepEqual(
          await context.deliver(context.server.subscriptionEvent("updated", foreign)),
          IGNORED,
        );
        const { customer } = subscription;
        assert.deepEqual(
          await context.deliver(context.server.event("charge.refunded", { object: "charge", customer })),
          IGNORED,
        );
        assert.deepEqual(
          await context.deliver(context.server.event("payout.paid", { object: "payout" })),
          IGNORED,
        );
        assert.equal(lists(), before);
      });

      it("is refused without configured payments", async () => {
        const event = context.server.event("invoice.paid", { object: "invoice" });
        const body = Buffer.from(event.body).toString("base64");
        const answer = await receivePaymentEvent(null, {
          headers: { "stripe-signature": event.signature },
          params: {},
          body,
        });
        assert.equal(answer.status, 500);
      });

      it("has its customer in full, or is about the customer itself", async () => {
        const { subscription, teamId } = await context.subscriber();
        subscription.price = PRICES.business;
        const customer = { id: subscription.customer, object: "customer" };
        assert.deepEqual(
          await context.deliver(context.server.event("invoice.paid", { object: "invoice", customer })),
          TAKEN,
        );
        assert.deepEqual(await context.planOf(teamId), BUSINESS);
        const served = context.server.customers.get(subscription.customer);
        assert.ok(served);
        served.deleted = true;
        assert.deepEqual(await context.deliver(context.server.event("customer.deleted", customer)), TAKEN);
        assert.equal((await context.planOf(teamId)).name, "free");
      });
    });

    describe("a plan", () => {
      it("is free until it is paid for, and then follows the price", async () => {
        assert.deepEqual(await context.planOf(newId("team")), FREE);
        const { teamId, subscription } = await context.subscriber("business");
        assert.deepEqual(await context.planOf(teamId), BUSINESS);
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

      it("stays for seven days after the first failed payment, and returns with a payment", async () => {
        const { teamId, subscription } = await context.subscriber();
        await context.change(subscription, { status: "past_due" });
        const first = await view(teamId);
        assert.deepEqual([first.plan, first.status, first.paymentFailed], ["pro", "past_due", true]);
        const graceMs = Date.parse(first.graceUntil ?? "") - Date.now();
        assert.ok(Math.abs(graceMs - 7 * DAY_MS) < 3_600_000, first.graceUntil ?? "");
        await age(teamId, "6 days");
        await context.sendEvent("updated", subscription);
        await reconcile();
        assert.equal((await view(teamId)).plan, "pro");
        await age(teamId, "1 day");
        context.server.trouble = "away";
        await Promise.allSettled([reconcile(), reconcile()]);
        context.server.trouble = null;
        const over = await view(teamId);
        assert.deepEqual([over.plan, over.subscribedPlan, over.status], ["free", "pro", "past_due"]);
        await context.sendEvent("updated", subscription);
        assert.equal((await view(teamId)).plan, "free", "another failed payment is no new grace");
        await context.change(subscription, { status: "active" });
        const paid = await view(teamId);
        assert.deepEqual([paid.plan, paid.paymentFailed, paid.graceUntil], ["pro", false, null]);
        const changes = context.sent(teamId).filter(name => name !== "plan.changed");
        assert.deepEqual(changes, ["free → pro", "payment.failed", "pro → free", "free → pro"]);
      });

      for (const status of ["unpaid", "canceled", "paused", "incomplete", "incomplete_expired", "invented"]) {
        it(`is free at once when the subscription is ${status}`, async () => {
          const { teamId, subscription } = await context.subscriber();
          await context.change(subscription, { status });
          assert.equal((await context.planOf(teamId)).name, "free");
        });
      }

      it("stays to the end of the period after a cancellation, and ends without an event", async () => {
        const { teamId, subscription } = await context.subscriber();
        await context.change(subscription, { cancelAtPeriodEnd: true });
        const canceled = await view(teamId);
        const end = new Date(subscription.periodEnd * 1_000).toISOString();
        assert.deepEqual([canceled.plan, canceled.cancelsAt, canceled.renewsAt], ["pro", end, null]);
        context.server.trouble = "away";
        await age(teamId, "31 days");
        await assert.rejects(reconcile());
        assert.equal((await context.planOf(teamId)).name, "free");
        context.server.trouble = null;
        await context.change(subscription, {
          cancelAtPeriodEnd: false,
          periodEnd: subscription.periodEnd + 86_400,
        });
        assert.deepEqual(await context.planOf(teamId), PRO, "taken back");
        await context.change(subscription, { cancelAt: subscription.created + 3_600 });
        assert.equal(
          (await view(teamId)).cancelsAt,
          new Date((subscription.created + 3_600) * 1_000).toISOString(),
        );
      });

      it("changes at once with the price, and a smaller one keeps runs for 30 days", async () => {
        const { teamId, subscription } = await context.subscriber();
        await context.change(subscription, { price: PRICES.business });
        assert.deepEqual(await context.planOf(teamId), BUSINESS);
        await context.change(subscription, { price: PRICES.pro });
        assert.deepEqual(await context.planOf(teamId), { name: "pro", retentionDays: 90 });
        await age(teamId, "10 days");
        await context.change(subscription, { status: "canceled" });
        assert.deepEqual(await context.planOf(teamId), { name: "free", retentionDays: 90 });
        const { historyKeptUntil } = await view(teamId);
        assert.ok(Math.abs(Date.parse(historyKeptUntil ?? "") - Date.now() - 30 * DAY_MS) < 3_600_000);
        await age(teamId, "30 days");
        assert.deepEqual(await context.planOf(teamId), FREE);
        assert.equal((await view(teamId)).historyKeptUntil, null);
      });

      it("stays with a price that is no longer sold, or belongs to no plan", async () => {
        const { teamId, subscription } = await context.subscriber("business");
        await context.change(subscription, { price: PRICES.proBefore });
        assert.equal((await context.planOf(teamId)).name, "pro");
        await context.change(subscription, { price: "price_other" });
        assert.equal((await context.planOf(teamId)).name, "pro");
        assert.match(
          context.warnings.join("\n"),
          new RegExp(`${subscription.id} of ${teamId} has a price that belongs to no plan`),
        );
        await context.change(subscription, { status: "canceled" });
        assert.equal((await context.planOf(teamId)).name, "free");
        context.server.subscribe(subscription.customer, {
          price: "price_other",
          created: subscription.created + 9,
        });
        await syncAccount(context.node, teamId);
        assert.equal(
          (await context.planOf(teamId)).name,
          "free",
          "what it had before is no plan of this one",
        );
      });

      it("is the largest of the paid ones", async () => {
        const { teamId, subscription } = await context.subscriber("business");
        const { customer, created } = subscription;
        const second = context.server.subscribe(customer, { created: created + 5 });
        for (let old = 0; old < 120; old++)
          context.server.subscribe(customer, {
            status: "canceled",
            price: PRICES.business,
            created: created + 6 + old,
          });
        await context.sendEvent("created", second);
        assert.equal((await context.planOf(teamId)).name, "business");
        await context.change(subscription, { status: "past_due" });
        assert.equal((await context.planOf(teamId)).name, "pro");
        await context.change(second, { status: "canceled" });
        assert.equal((await context.planOf(teamId)).name, "business", "in its time of grace");
      });

      it("comes from the latest reading when two nodes read at once", async () => {
        const { teamId, subscription } = await context.subscriber();
        const [isRead, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        context.server.beforeList = () => {
          isRead.resolve();
          return mayAnswer.promise;
        };
        const early = syncAccount(context.node, teamId);
        await isRead.promise;
        context.server.beforeList = null;
        Object.assign(subscription, { status: "canceled" });
        await syncAccount(context.another(), teamId);
        mayAnswer.resolve();
        await early;
        assert.equal((await context.planOf(teamId)).name, "free");
      });
    });

    describe("the reconciliation", () => {
      it("finds a payment, a failed renewal, and a day-old reading without events", async () => {
        const { teamId, subscription } = await context.subscriber();
        const asks = async () => {
          const before = lists();
          await reconcile();
          return lists() > before;
        };
        await reconcile();
        assert.equal(await asks(), false, "nobody is asked for nothing");
        subscription.status = "unpaid";
        await age(teamId, "25 hours");
        assert.equal(await asks(), true);
        assert.equal((await context.planOf(teamId)).name, "free");
        Object.assign(subscription, { status: "active", periodEnd: subscription.created - 7_200 });
        await context.sendEvent("updated", subscription);
        await age(teamId, "61 minutes");
        subscription.status = "past_due";
        assert.equal(await asks(), true, "its period is over");
        assert.equal((await view(teamId)).status, "past_due");
        assert.equal(await asks(), false, "the provider takes a while");
      });

      it("repeats a failed reading after the provider responds again", async () => {
        const { teamId, subscription } = await context.subscriber();
        subscription.price = PRICES.business;
        context.server.trouble = 500;
        assert.equal(
          (await context.deliver(context.server.subscriptionEvent("updated", subscription))).status,
          503,
        );
        await age(teamId, "2 minutes");
        await assert.rejects(reconcile());
        context.server.trouble = null;
        await age(teamId, "6 minutes");
        await reconcile();
        assert.equal((await context.planOf(teamId)).name, "business");
      });

      it("publishes what could not be published", async () => {
        context.bus.isRefusing = true;
        const { teamId } = await context.subscriber();
        assert.deepEqual(await context.planOf(teamId), PRO, "the event itself is applied");
        context.bus.isRefusing = false;
        await reconcile();
        assert.deepEqual(
          context.sent(teamId),
          ["free → pro"],
          "the node that wrote it may be publishing it now",
        );
        await ageChanges(context.em());
        await reconcile();
        await reconcile();
        assert.deepEqual(context.sent(teamId), ["free → pro", "free → pro", "plan.changed"]);
      });

      it("reads each team once, for any number of nodes", async () => {
        const teams = [await context.subscriber(), await context.subscriber(), await context.subscriber()];
        await reconcile();
        for (const { teamId } of teams) await age(teamId, "25 hours");
        const before = lists();
        await Promise.all(Array.from({ length: 4 }, () => reconcileAccounts(context.another())));
        assert.equal(lists() - before, teams.length);
      });

      it("reads all other teams before it retries one that the provider refuses", async () => {
        const [first, second] = [await context.subscriber(), await context.subscriber()];
        await reconcile();
        await age(first.teamId, "50 hours");
        await age(second.teamId, "25 hours");
        context.server.trouble = 402;
        await reconcileAccounts(context.node, 1);
        context.server.trouble = null;
        for (const { teamId } of [first, second]) await age(teamId, "10 minutes");
        await reconcileAccounts(context.node, 1);
        const read = (teamId: string) => wasJustSynced(context.em(), teamId);
        assert.deepEqual([await read(first.teamId), await read(second.teamId)], [false, true]);
        await reconcileAccounts(context.node, 1);
        assert.equal(await read(first.teamId), true);
      });

      it("deletes the usage and account of a deleted team without an event", async () => {
        const teams = Array.from({ length: 300 }, () => newId("team"));
        const [there = "", ...gone] = teams;
        await insertUsage(context.em(), teams);
        const visitor = newId("team");
        await findOrOpenAccount(context.em(), visitor);
        for (const teamId of [...gone, visitor]) context.bus.gone.add(teamId);
        await deleteAllGone(context.node);
        const left = await readTeamsWithUsage(context.em());
        assert.deepEqual(
          teams.filter(id => left.has(id)),
          [there],
        );
        await reconcile();
        assert.equal(await findAccount(context.em(), visitor), null);
      });

      it("finds a deleted team without an event", async () => {
        const [there, gone] = [await context.subscriber(), await context.subscriber()];
        context.bus.gone.add(gone.teamId);
        for (const { teamId } of [there, gone]) await age(teamId, "25 hours");
        await reconcile();
        assert.deepEqual([there.subscription.status, gone.subscription.status], ["active", "canceled"]);
        assert.equal((await context.planOf(there.teamId)).name, "pro");
      });

      it("cancels the subscription of a deleted team, also if the provider did not respond at first", async () => {
        const { teamId, subscription } = await context.subscriber();
        await markGone(context.em(), teamId);
        context.server.trouble = "away";
        await assert.rejects(reconcile());
        assert.equal(subscription.status, "active");
        context.server.trouble = null;
        await age(teamId, "6 minutes");
        await Promise.allSettled([reconcile(), reconcile()]);
        await reconcile();
        assert.equal(subscription.status, "canceled");
        assert.equal(await findAccount(context.em(), teamId), null);
        assert.deepEqual(
          await context.deliver(context.server.subscriptionEvent("deleted", subscription)),
          IGNORED,
        );
      });
    });

    it("handles existing teams like any other after the first setup of payments", async () => {
      const [old, later] = [newId("team"), newId("team")];
      const use = (teamId: string) => insertUsage(context.em(), [teamId]);
      await use(old);
      await use("team_default");
      await createInitialAccounts(context.em(), "business", "team_default");
      assert.deepEqual(await context.planOf(old), BUSINESS);
      await reconcile();
      assert.deepEqual(await context.planOf(old), { name: "free", retentionDays: 90 });
      assert.deepEqual(context.sent(old), ["business → free", "plan.changed"]);
      await use(later);
      await createInitialAccounts(context.em(), "business", "team_default");
      for (const never of [later, "team_default"]) assert.deepEqual(await context.planOf(never), FREE);
    });
  };

for (const database of MAIN_DATABASES) describe(`Payments on ${database.name}`, paymentsOn(database));
