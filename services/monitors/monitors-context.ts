import type { EntityManager } from "../../mixins/database.ts";
import type { AddressPolicy } from "../../shared/capture/network/address-guard.ts";
import type { Bus } from "../../shared/contracts/bus.ts";
import type { ProbeRequest, ProbeResult } from "../../shared/contracts/monitors/http-checks.ts";
import type { StatusContent } from "../../shared/contracts/monitors/status-pages.ts";
import type { Caller } from "../../shared/contracts/teams/caller.ts";
import type { Links } from "../../shared/links/links.ts";
import type { SharedReads } from "./status-pages/shared-reads.ts";

/** The dependencies of this service's use cases. */
export interface MonitorsContext {
  /** Opens a new unit of work. */
  em(): EntityManager;
  bus: Bus;
  /** Returns the bus for requests on behalf of a caller. */
  as(caller: Caller): Bus;
  /** The service's public address. */
  baseUrl: string;
  /** Creates links to reports. */
  links(): Promise<Links>;
  /** Addresses that may be rendered, and that may receive alerts. */
  policy: AddressPolicy;
  /** Time between a run and the confirmation of its problems. Brief outages are over by then. */
  confirmAfterMs: number;
  /** Reads of status pages. Everyone can request them, without a limit. */
  statusReads: SharedReads<StatusContent>;
  /**
   * Requests a page from a renderer node of a region, or of any. Null if no node of it responds.
   * @param region null for any renderer node
   */
  probe(region: string | null, asked: ProbeRequest): Promise<ProbeResult | null>;
  /** Logs an error that a later attempt will fix. */
  warn(error: unknown, what: string): void;
}
