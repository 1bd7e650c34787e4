import type { Service } from "moleculer";
import { onOneNode } from "../../mixins/database/on-one-node.ts";
import { database, type WithDatabase } from "../../mixins/database.ts";
import { SingleFlight } from "../../shared/async.ts";
import { configOf } from "../../shared/config.ts";
import type { Plan } from "../../shared/contracts/billing/usage.ts";
import { action, callerOf, on, service } from "../../shared/contracts/bus.ts";
import { ServiceError } from "../../shared/errors.ts";
import { DEFAULT_TEAM_ID } from "../../shared/ids.ts";
import { startPeriodicTasks } from "../../shared/periodic-task.ts";
import type { BillingContext, PaymentsContext } from "./billing-context.ts";
import { deleteAllGone, deleteTeamsIfGone } from "./delete-team-data.ts";
import { migrations } from "./migrations/index.ts";
import { AccountEntity } from "./payments/account.entity.ts";
import { createInitialAccounts, findPlan } from "./payments/account.store.ts";
import { receivePaymentEvent } from "./payments/handle-payment-event.ts";
import type { PaymentClient, PaymentProvider } from "./payments/payment-provider.ts";
import { readAccount } from "./payments/read-account.ts";
import { reconcileAccounts } from "./payments/reconcile-accounts.ts";
import { openPortal, startCheckout } from "./payments/start-checkout.ts";
import { PLANS, planWith } from "./plans.ts";
import { BILLING_ERRORS, LOG_MESSAGES } from "./texts.ts";
import { readUsage } from "./usage/read-usage.ts";
import { readUsageHistory } from "./usage/read-usage-history.ts";
import { reconcileUsage } from "./usage/reconcile-usage.ts";
import { takeAllowance } from "./usage/take-allowance.ts";
import { giveBackAllowance, UsageEntity } from "./usage/usage.store.ts";

const RECONCILE_INTERVAL_MS = 5 * 60_000;
/** The event of a deleted team may get lost. This bounds the delay. */
const CLEANUP_INTERVAL_MS = 60 * 60_000;
const GONE_TEAMS_TASK = { table: "billing.periodic_task", name: "gone-teams" };
/** The delay after which a plan that has ended is changed. */
const RECONCILE_ACCOUNTS_INTERVAL_MS = 60_000;

interface Billing extends Service, WithDatabase {
  context: BillingContext;
  /** Null without a payment provider. */
  payments: PaymentsContext | null;
  stopTasks?: () => Promise<void>;
}

export default service<Billing>({
  name: "billing",
  mixins: [database({ schema: "billing", entities: [UsageEntity, AccountEntity], migrations })],
  actions: {
    plan: action("billing.plan", function (this: Billing, { teamId }) {
      return this.context.planOf(teamId);
    }),
    take: action("billing.take", async function (this: Billing, params) {
      await takeAllowance(this.context, params);
      return null;
    }),
    giveBack: action("billing.giveBack", async function (this: Billing, { runId }) {
      await giveBackAllowance(this.em(), [runId]);
      return null;
    }),
    checkout: action("billing.checkout", async function (this: Billing, { plan }, context) {
      return startCheckout(paymentsOf(this), callerOf(context).teamId, plan);
    }),
    portal: action("billing.portal", async function (this: Billing, _params, context) {
      return openPortal(paymentsOf(this), callerOf(context).teamId);
    }),
    account: action("billing.account", async function (this: Billing, _params, context) {
      const { teamId } = callerOf(context);
      const { name: plan } = await this.context.planOf(teamId);
      return readAccount(this.em(), teamId, { plan, enabled: this.payments !== null });
    }),
    deliver: action("billing.deliver", function (this: Billing, delivery) {
      return receivePaymentEvent(this.payments, delivery);
    }),
    usage: action("billing.usage", function (this: Billing, _params, context) {
      return readUsage(this.context, callerOf(context).teamId);
    }),
    usageHistory: action("billing.usageHistory", function (this: Billing, _params, context) {
      return readUsageHistory(this.context, callerOf(context).teamId);
    }),
  },
  events: {
    "team.gone": on("team.gone", function (this: Billing, { teamId }) {
      return deleteTeamsIfGone(this.context, [teamId]);
    }),
  },
  async started() {
    const { plan: planName, payments, baseUrl } = configOf(this.broker);
    this.context = {
      em: () => this.em(),
      bus: this.broker,
      planOf: teamId => planOf(this, teamId),
      warn: (error, what) => this.logger.warn({ err: error }, what),
    };
    this.payments = payments && {
      ...this.context,
      provider: await openProvider(payments),
      prices: payments.prices,
      readings: new SingleFlight(),
      pageUrl: `${baseUrl}/billing`,
    };
    if (this.payments) await createInitialAccounts(this.em(), planName, DEFAULT_TEAM_ID);
    const { payments: paying } = this;
    const failed = LOG_MESSAGES.notReconciled;
    this.stopTasks = startPeriodicTasks(
      [
        { intervalMs: RECONCILE_INTERVAL_MS, work: () => reconcileUsage(this.context), failed },
        onOneNode(this.context.em, GONE_TEAMS_TASK, {
          intervalMs: CLEANUP_INTERVAL_MS,
          work: signal => deleteAllGone(this.context, signal),
          failed,
        }),
        ...(paying
          ? [{ intervalMs: RECONCILE_ACCOUNTS_INTERVAL_MS, work: () => reconcileAccounts(paying), failed }]
          : []),
      ],
      this.context.warn,
    );
  },
  async stopped() {
    await this.stopTasks?.();
  },
});

/** Loads the provider's client only if payments are configured, because it is slow to load and needs much memory. */
async function openProvider(client: PaymentClient): Promise<PaymentProvider> {
  const { PaymentProvider } = await import("./payments/payment-provider.ts");
  return new PaymentProvider(client);
}

/**
 * Returns the plan that a team pays for, or free. Without payments, and for the service's own team, the operator sets
 * the plan.
 */
async function planOf({ broker, payments, em }: Billing, teamId: string): Promise<Plan> {
  if (!payments || teamId === DEFAULT_TEAM_ID) return PLANS[configOf(broker).plan];
  return planWith(await findPlan(em(), teamId));
}

/** @throws ServiceError not_found without a payment provider */
function paymentsOf({ payments }: Billing): PaymentsContext {
  if (payments) return payments;
  throw new ServiceError("not_found", BILLING_ERRORS.notConfigured);
}
