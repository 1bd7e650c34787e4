import type { EntityManager } from "../../mixins/database.ts";
import type { AddressPolicy } from "../../shared/capture/network/address-guard.ts";
import type { Bus } from "../../shared/contracts/bus.ts";
import type { Links } from "../../shared/links/links.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { Thumbnails } from "./mail/thumbnails.ts";

/** What the use cases of this service work with. */
export interface AlertsContext {
  /** A new unit of work. */
  em(): EntityManager;
  bus: Bus;
  /** Sends what is due, now rather than at the next look. */
  nudge(): void;
  /** Null where no mail server is set up. */
  mailer: Mailer | null;
  /** Notes what went wrong and will be put right later. */
  warn(error: unknown, what: string): void;
}

/** What channels send with. */
export interface Sender {
  /** Signed links to reports and images. @throws Error while the runs service is away */
  links(): Promise<Links>;
  /** The service's public address. */
  baseUrl: string;
  thumbnails: Thumbnails;
  mailer: Mailer | null;
  /** Of addresses that users set. */
  policy: AddressPolicy;
  /** Told why the name of a receiver has no address that may be reached, for the operator's log. */
  onUnresolved(detail: string): void;
  /** API of the incident service. */
  pagerdutyUrl: string;
}
