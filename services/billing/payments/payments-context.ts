import type { Turns } from "../../../shared/single-flight.ts";
import type { BillingNode } from "../billing-context.ts";
import type { PaymentProvider } from "./payment-provider.ts";
import type { Prices } from "./subscription.rule.ts";

/** What the use cases about money work with. */
export interface PaymentsNode extends BillingNode {
  provider: PaymentProvider;
  prices: Prices;
  /** One reading of the provider at a time for each team. */
  readings: Turns;
  /** Where people come back to from the provider's pages. */
  pageUrl: string;
}
