import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "mocha";
import { reconcileAccounts } from "../../../services/billing/payments/reconcile-accounts.ts";
import { openPortal, startCheckout } from "../../../services/billing/payments/start-checkout.ts";
import { syncAccount } from "../../../services/billing/payments/sync-account.ts";
import { DEFAULT_TEAM_ID, newId } from "../../../shared/ids.ts";
import { PaymentsTestContext } from "../../support/contexts/payments-context.ts";
import { type DatabaseKind, MAIN_DATABASES } from "../../support/databases/databases.ts";
import { PRICES } from "../../support/fakes/payment-account.ts";

const checkoutOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    database.needed();
    let context: PaymentsTestContext;

    before(async () => {
      context = await PaymentsTestContext.start(database);
    });
    afterEach(() => {
      context.server.trouble = null;
      assert.deepEqual(context.server.invalidRequests, []);
    });
    after(() => context?.stop());

    const customersOf = (teamId: string) =>
      [...context.server.customers.values()].filter(customer => customer.teamId === teamId);
    const openOf = (teamId: string) =>
      [...context.server.checkouts.values()].filter(
        ({ status, form }) => status === "open" && form.client_reference_id === teamId,
      );

    it("sells the plan's price to the team's customer, and returns to the service", async () => {
      const teamId = newId("team");
      const { url } = await startCheckout(context.node, teamId, "business");
      const { id, form } = context.server.openCheckout(teamId);
      assert.equal(url, `${context.server.url}/pay/${id}`);
      assert.deepEqual(form.line_items, [{ price: PRICES.business, quantity: "1" }]);
      assert.deepEqual(form.metadata, { teamId, plan: "business" });
      assert.deepEqual(form.subscription_data.metadata, { teamId });
      assert.equal(form.success_url, "http://localhost:4400/billing?checkout=done");
      assert.equal(form.cancel_url, "http://localhost:4400/billing?checkout=canceled");
      assert.deepEqual(
        customersOf(teamId).map(customer => customer.id),
        [form.customer],
      );
    });

    it("creates one customer and leaves one open checkout for any number of concurrent requests", async () => {
      const teamId = newId("team");
      const nodes = [context.node, context.another()];
      const asked = await Promise.allSettled(
        Array.from({ length: 12 }, (_, index) =>
          startCheckout(nodes[index % 2] ?? context.node, teamId, index % 3 ? "pro" : "business"),
        ),
      );
      assert.ok(asked.some(({ status }) => status === "fulfilled"));
      for (const outcome of asked)
        if (outcome.status === "rejected")
          assert.equal(outcome.reason.type, "unavailable", outcome.reason.stack);
      assert.equal(customersOf(teamId).length, 1);
      const { url } = await startCheckout(context.node, teamId, "pro");
      assert.deepEqual(await startCheckout(context.another(), teamId, "pro"), { url });
      assert.deepEqual(
        openOf(teamId).map(({ id }) => `${context.server.url}/pay/${id}`),
        [url],
      );
    });

    it("asks a team with another plan to confirm the change", async () => {
      const { teamId, subscription } = await context.subscriber("pro");
      const { url } = await startCheckout(context.node, teamId, "business");
      assert.match(url, /\/portal\/\d+$/);
      const flow = context.server.portals.at(-1)?.flow_data?.subscription_update_confirm;
      const items = [{ id: subscription.item, price: PRICES.business, quantity: "1" }];
      assert.deepEqual(flow, { subscription: subscription.id, items });
      assert.deepEqual(openOf(teamId), [], "nobody subscribes twice");
    });

    it("is refused for the current plan, after a failed payment, and for the service's own team", async () => {
      const { teamId, subscription } = await context.subscriber("pro");
      const refused = (plan: "pro" | "business", why: RegExp, team = teamId) =>
        assert.rejects(startCheckout(context.node, team, plan), { type: "conflict", message: why });
      await refused("pro", /already subscribes to pro\. .* POST \/v1\/billing\/portal/);
      for (const status of ["past_due", "unpaid", "paused"]) {
        // No event has arrived yet.
        subscription.status = status;
        await refused("business", new RegExp(`is ${status}\\. .*POST /v1/billing/portal`));
      }
      await refused("pro", /own team/, DEFAULT_TEAM_ID);
      subscription.status = "canceled";
      await startCheckout(context.node, teamId, "pro");
      assert.equal(openOf(teamId).length, 1);
    });

    it("finds a payment without an event", async () => {
      const teamId = newId("team");
      await startCheckout(context.node, teamId, "pro");
      context.server.pay(context.server.openCheckout(teamId));
      assert.equal((await context.planOf(teamId)).name, "free");
      await assert.rejects(startCheckout(context.node, teamId, "pro"), { type: "conflict" });
      assert.equal((await context.planOf(teamId)).name, "pro");
    });

    it("creates another customer after the first was deleted", async () => {
      const { teamId, subscription } = await context.subscriber("pro");
      const [customer] = customersOf(teamId);
      assert.ok(customer);
      customer.deleted = true;
      subscription.status = "canceled";
      await assert.rejects(openPortal(context.node, teamId), { type: "conflict" });
      await reconcileAccounts(context.node);
      assert.equal((await context.planOf(teamId)).name, "free", "nobody pays for the other one any more");
      await startCheckout(context.node, teamId, "pro");
      const [, second] = customersOf(teamId);
      assert.equal(context.server.openCheckout(teamId).customer, second?.id);
    });

    it("ends the plan of a team that starts a checkout after its customer was deleted", async () => {
      const { teamId, subscription } = await context.subscriber("pro");
      const [customer] = customersOf(teamId);
      assert.ok(customer);
      customer.deleted = true;
      subscription.status = "canceled";
      await startCheckout(context.node, teamId, "pro");
      await reconcileAccounts(context.node);
      assert.equal((await context.planOf(teamId)).name, "free");
    });

    it("ignores a reading from before the customer was deleted", async () => {
      const { teamId, subscription } = await context.subscriber("pro");
      const [customer] = customersOf(teamId);
      assert.ok(customer);
      const [isRead, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      context.server.beforeList = () => {
        isRead.resolve();
        return mayAnswer.promise;
      };
      const early = syncAccount(context.another(), teamId);
      await isRead.promise;
      context.server.beforeList = null;
      customer.deleted = true;
      subscription.status = "canceled";
      await assert.rejects(openPortal(context.node, teamId), { type: "conflict" });
      mayAnswer.resolve();
      await early;
      await reconcileAccounts(context.node);
      assert.equal((await context.planOf(teamId)).name, "free");
    });

    for (const trouble of ["away", "slow", 500, 402, 429, 401] as const) {
      it(`reports a provider that is ${trouble}, and works right after it`, async () => {
        const teamId = newId("team");
        context.server.trouble = trouble;
        const node = trouble === "slow" ? context.another(200) : context.node;
        const why =
          typeof trouble === "number" && trouble < 429 ? /rejected.*reason in the log/ : /is not responding/;
        await assert.rejects(startCheckout(node, teamId, "pro"), { type: "unavailable", message: why });
        context.server.trouble = null;
        await startCheckout(context.node, teamId, "pro");
        context.server.trouble = trouble;
        await assert.rejects(startCheckout(node, teamId, "business"), { type: "unavailable" });
        await assert.rejects(openPortal(node, teamId), { type: "unavailable" });
        context.server.trouble = null;
        await startCheckout(context.node, teamId, "business");
        assert.equal(customersOf(teamId).length, 1);
        assert.equal(openOf(teamId).length, 1);
        for (const secret of context.server.secrets) assert.ok(!context.warnings.join().includes(secret));
      });
    }

    it("is answered within one deadline while the provider hangs, whatever attempts it needs", async () => {
      context.server.trouble = "slow";
      const begun = Date.now();
      const asked = startCheckout(context.another(2_000), newId("team"), "pro");
      await assert.rejects(asked, { type: "unavailable", message: /is not responding/ });
      const tookMs = Date.now() - begun;
      assert.ok(tookMs >= 1_900 && tookMs < 4_000, `${tookMs} ms`);
    });

    it("works after a missing price was created, and keeps the customer", async () => {
      const teamId = newId("team");
      context.server.prices.delete(PRICES.business);
      await assert.rejects(startCheckout(context.node, teamId, "business"), {
        type: "unavailable",
        message: /rejected/,
      });
      assert.match(context.warnings.at(-1) ?? "", /No such price: 'price_business'/);
      context.server.prices.add(PRICES.business);
      await startCheckout(context.node, teamId, "business");
      assert.equal(customersOf(teamId).length, 1);
    });

    it("opens the portal only for teams that have paid", async () => {
      await assert.rejects(openPortal(context.node, newId("team")), {
        type: "conflict",
        message: /v1\/billing\/checkout/,
      });
      const { teamId, subscription } = await context.subscriber();
      assert.match((await openPortal(context.node, teamId)).url, /\/portal\/\d+$/);
      const portal = context.server.portals.at(-1);
      assert.deepEqual(portal, {
        customer: subscription.customer,
        return_url: "http://localhost:4400/billing",
      });
    });
  };

for (const database of MAIN_DATABASES) describe(`Checkout on ${database.name}`, checkoutOn(database));
