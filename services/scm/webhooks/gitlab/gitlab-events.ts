import { CONNECTION_ERRORS } from "../../texts/connections.ts";
import { digestOf, type EventSource, givenId } from "../connected/event-source.ts";
import { isSameSecret } from "../signature.rule.ts";
import { deployment } from "./deployment.ts";
import { mergeRequest } from "./merge-request.ts";
import { note } from "./note.ts";

/** The events of GitLab. */
export const gitlabEvents: EventSource = {
  isAuthentic: (secret, headers) => isSameSecret(secret, headers["x-gitlab-token"]),
  refusal: CONNECTION_ERRORS.badToken,
  eventHeader: "x-gitlab-event",
  events: new Map([
    ["Merge Request Hook", mergeRequest],
    ["Deployment Hook", deployment],
    ["Note Hook", note],
  ]),
  // Instances before version 17.4 send no key, and the id of an event is shared by the events that it causes.
  deliveryIdOf: (headers, body) =>
    givenId(headers["idempotency-key"]) ?? digestOf(headers["x-gitlab-event-uuid"], body),
};
