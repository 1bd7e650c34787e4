import type { EntityManager } from "../../mixins/database.ts";
import type { SingleFlight } from "../../shared/async.ts";
import type { AddressPolicy } from "../../shared/capture/network/address-guard.ts";
import type { Bus } from "../../shared/contracts/bus.ts";
import type { WorkQueue } from "../../shared/contracts/work-queue.ts";
import type { Links } from "../../shared/links/links.ts";
import type { HeldTime } from "./capture/dispatch.store.ts";
import type { EndedRuns } from "./capture/ended-runs.ts";
import type { JobTokens } from "./capture/job-tokens.ts";
import type { RenderingFleet } from "./capture/rendering-fleet.ts";

/** What the use cases of this service work with. */
export interface RunsContext {
  /** A new unit of work. */
  em(): EntityManager;
  queue: WorkQueue;
  ended: EndedRuns;
  /** Runs that are known to be rendering: told with every route, written once. */
  rendering: Set<string>;
  /** Looks for what is to be queued, one at a time. */
  dispatches: SingleFlight;
  /** How long pages have held their slots, by run, of which this node has heard and not charged yet. */
  held: Map<string, HeldTime>;
  /** Who renders, and how their browsers draw. */
  fleet: RenderingFleet;
  /** Notes what went wrong and will be put right later. */
  warn(error: unknown, what: string): void;
  /** Notes what an operator may want to know. */
  inform(what: string): void;
  bus: Bus;
  pendingEvents: PendingEvents;
  links: Links;
  /** Signs jobs, and checks results. */
  tokens: JobTokens;
  /** Which addresses may be rendered. */
  policy: AddressPolicy;
}

/** What is being told to others, while nobody but a node that stops waits for it. */
export class PendingEvents {
  readonly #pending = new Set<Promise<void>>();

  /** @param telling one of the bus, which never rejects */
  add(event: Promise<void>): void {
    this.#pending.add(event);
    void event.finally(() => this.#pending.delete(event));
  }

  /** @returns when all that is being told now has been */
  async flush(): Promise<void> {
    await Promise.all(this.#pending);
  }
}
