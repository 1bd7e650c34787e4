import type { EntityManager } from "../../mixins/database.ts";
import type { AddressPolicy } from "../../shared/capture/address-guard.ts";
import type { Bus } from "../../shared/contracts/bus.ts";
import type { WorkQueue } from "../../shared/contracts/work-queue.ts";
import type { Links } from "../../shared/links.ts";

/** What the use cases of this service work with. */
export interface RunsNode {
  /** A new unit of work. */
  em(): EntityManager;
  queue: WorkQueue;
  /** Runs that are known to be rendering: told with every route, written once. */
  rendering: Set<string>;
  bus: Bus;
  links: Links;
  /** Which addresses may be rendered. */
  policy: AddressPolicy;
}
