import { createHash } from "node:crypto";
import type { ConnectedHost } from "../../../../shared/contracts/code-host/connections.ts";
import type { Delivery } from "../../../../shared/contracts/platform/delivery.ts";
import type { Connection } from "../../connections/connection.store.ts";
import { CONNECTION_ERRORS } from "../../texts/connections.ts";
import type { EventHandler } from "../events/event.ts";
import { giteaHandlerOf } from "../gitea/gitea-events.ts";
import { gitlabHandlerOf } from "../gitlab/gitlab-events.ts";
import { isSameSecret, isSignedBy } from "../signature.rule.ts";

const DELIVERY_ID = /^[\w-]{1,100}$/;

type Headers = Delivery["headers"];

/** How a kind of code host sends its events. */
export interface EventSource {
  /** Returns whether the sender knows the secret of the webhook. */
  isAuthentic(secret: string, headers: Headers, body: Buffer): boolean;
  /** The response to another sender. */
  refusal: string;
  /** The header with the event's name. */
  eventHeader: string;
  handlerOf(connection: Connection, event: string): EventHandler | null;
  /** Returns what a delivery and its retries have in common. */
  deliveryIdOf(headers: Headers, body: Buffer): string;
}

export const EVENT_SOURCES: Record<ConnectedHost, EventSource> = {
  gitlab: {
    isAuthentic: (secret, headers) => isSameSecret(secret, headers["x-gitlab-token"]),
    refusal: CONNECTION_ERRORS.badToken,
    eventHeader: "x-gitlab-event",
    handlerOf: gitlabHandlerOf,
    // Instances before version 17.4 send no key, and the id of an event is shared by the events that it causes.
    deliveryIdOf: (headers, body) =>
      givenId(headers["idempotency-key"]) ?? digestOf(headers["x-gitlab-event-uuid"], body),
  },
  gitea: {
    // Only hexadecimal digits, without the name of the algorithm.
    isAuthentic: (secret, headers, body) =>
      isSignedBy(secret, body, `sha256=${headers["x-gitea-signature"]}`),
    refusal: CONNECTION_ERRORS.badSignature,
    eventHeader: "x-gitea-event",
    handlerOf: giteaHandlerOf,
    deliveryIdOf: (headers, body) => givenId(headers["x-gitea-delivery"]) ?? digestOf("", body),
  },
};

function givenId(id: string | undefined): string | null {
  return id !== undefined && DELIVERY_ID.test(id) ? id : null;
}

function digestOf(event: string | undefined, body: Buffer): string {
  return createHash("sha256")
    .update(event ?? "")
    .update("\0")
    .update(body)
    .digest("hex");
}
