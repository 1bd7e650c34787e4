import type { EntityManager } from "../../mixins/database.ts";
import type { AddressPolicy } from "../../shared/capture/network/address-guard.ts";
import type { Bus } from "../../shared/contracts/bus.ts";
import type { Links } from "../../shared/links/links.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { Thumbnails } from "./mail/thumbnails.ts";

/** The dependencies of this service's use cases. */
export interface AlertsContext {
  /** Opens a new unit of work. */
  em(): EntityManager;
  bus: Bus;
  /** The service's public address. */
  baseUrl: string;
  /** Applies to URLs that users set. */
  policy: AddressPolicy;
  /** API of Discord, which edits messages. */
  discordUrl: string;
  /** Sends due notifications now, without waiting for the next poll. */
  wake(): void;
  /** Null if no mail server is configured. */
  mailer: Mailer | null;
  /** Time that notices of a run wait for others. */
  noticeDelaySeconds: number;
  /** Logs an error that a later attempt will fix. */
  warn(error: unknown, what: string): void;
}

/** The dependencies of channels. */
export interface Sender {
  /** Creates signed links to reports and images. @throws Error while the runs service is unavailable */
  links(): Promise<Links>;
  /** The service's public address. */
  baseUrl: string;
  thumbnails: Thumbnails;
  mailer: Mailer | null;
  /** Applies to URLs that users set. */
  policy: AddressPolicy;
  /** Called with the reason why a receiver's host name has no allowed address, for the operator's log. */
  onUnresolved(detail: string): void;
  /** API of the incident service. */
  pagerdutyUrl: string;
}
