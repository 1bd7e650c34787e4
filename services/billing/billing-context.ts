import type { EntityManager } from "../../mixins/database.ts";
import type { Plan } from "../../shared/contracts/billing/usage.ts";
import type { Bus } from "../../shared/contracts/bus.ts";

/** What the use cases of this service work with. */
export interface BillingContext {
  /** A new unit of work. */
  em(): EntityManager;
  bus: Bus;
  /** The plan of this team. */
  planOf(teamId: string): Promise<Plan>;
  /** Notes what went wrong and will be put right later. */
  warn(error: unknown, what: string): void;
}
