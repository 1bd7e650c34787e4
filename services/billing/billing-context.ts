import type { EntityManager } from "../../mixins/database.ts";
import type { SingleFlight } from "../../shared/async.ts";
import type { Plan } from "../../shared/contracts/billing/usage.ts";
import type { Bus } from "../../shared/contracts/bus.ts";
import type { PaymentProvider } from "./payments/payment-provider.ts";
import type { Prices } from "./payments/subscription.rule.ts";

/** The dependencies of this service's use cases. */
export interface BillingContext {
  /** Returns a new unit of work. */
  em(): EntityManager;
  bus: Bus;
  /** Returns the plan of this team. */
  planOf(teamId: string): Promise<Plan>;
  /** Logs an error that a later attempt will fix. */
  warn(error: unknown, what: string): void;
}

/** The dependencies of the use cases about payments. */
export interface PaymentsContext extends BillingContext {
  provider: PaymentProvider;
  prices: Prices;
  /** One reading of the provider at a time for each team. */
  readings: SingleFlight;
  /** The URL to return to from the provider's pages. */
  pageUrl: string;
}
