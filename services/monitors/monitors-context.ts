import type { EntityManager } from "../../mixins/database.ts";
import type { AddressPolicy } from "../../shared/capture/network/address-guard.ts";
import type { Bus } from "../../shared/contracts/bus.ts";
import type { Caller } from "../../shared/contracts/teams/caller.ts";
import type { Links } from "../../shared/links/links.ts";

/** What the use cases of this service work with. */
export interface MonitorsContext {
  /** A new unit of work. */
  em(): EntityManager;
  bus: Bus;
  /** The bus on which this service asks as somebody in a team. */
  as(caller: Caller): Bus;
  /** Makes the links of reports. */
  links(): Promise<Links>;
  /** Which addresses may be rendered, and written to. */
  policy: AddressPolicy;
  /** How long after a run its findings are confirmed: what was wrong for a moment only is over by then. */
  confirmAfterMs: number;
  /** Notes what went wrong and will be put right later. */
  warn(error: unknown, what: string): void;
}
