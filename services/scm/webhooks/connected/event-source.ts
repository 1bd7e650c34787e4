import { createHash } from "node:crypto";
import type { Delivery } from "../../../../shared/contracts/platform/delivery.ts";
import type { ConnectedHandler } from "./connected-event.ts";

type Headers = Delivery["headers"];

/** How a kind of code host sends its events, and which of them the service handles. */
export interface EventSource {
  /** Returns whether the sender knows the secret of the webhook. */
  isAuthentic(secret: string, headers: Headers, body: Buffer): boolean;
  /** The response to another sender. */
  refusal: string;
  /** The header with the event's name. */
  eventHeader: string;
  /** Handlers by the code host's names of events. */
  events: ReadonlyMap<string, ConnectedHandler>;
  /** Returns what a delivery and its retries have in common. */
  deliveryIdOf(headers: Headers, body: Buffer): string;
}

const DELIVERY_ID = /^[\w-]{1,100}$/;

/** Returns the id of a delivery in a header, or null if it has none. */
export function givenId(id: string | undefined): string | null {
  return id !== undefined && DELIVERY_ID.test(id) ? id : null;
}

/** Returns an id of a delivery by its content. */
export function digestOf(event: string | undefined, body: Buffer): string {
  return createHash("sha256")
    .update(event ?? "")
    .update("\0")
    .update(body)
    .digest("hex");
}
