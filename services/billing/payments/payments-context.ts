import type { SingleFlight } from "../../../shared/async.ts";
import type { BillingContext } from "../billing-context.ts";
import type { PaymentProvider } from "./payment-provider.ts";
import type { Prices } from "./subscription.rule.ts";

/** What the use cases about money work with. */
export interface PaymentsContext extends BillingContext {
  provider: PaymentProvider;
  prices: Prices;
  /** One reading of the provider at a time for each team. */
  readings: SingleFlight;
  /** Where people come back to from the provider's pages. */
  pageUrl: string;
}
