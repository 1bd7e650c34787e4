import { CONNECTION_ERRORS } from "../../texts/connections.ts";
import { digestOf, type EventSource } from "../connected/event-source.ts";
import { isSignedBy } from "../signature.rule.ts";
import { pullRequest } from "./pull-request.ts";
import { pullRequestComment } from "./pull-request-comment.ts";
import { status } from "./status.ts";

/** The events of Bitbucket Cloud. */
export const bitbucketEvents: EventSource = {
  isAuthentic: (secret, headers, body) => isSignedBy(secret, body, headers["x-hub-signature"]),
  refusal: CONNECTION_ERRORS.badSignature,
  eventHeader: "x-event-key",
  events: new Map([
    ["pullrequest:created", pullRequest],
    ["pullrequest:updated", pullRequest],
    ["pullrequest:fulfilled", pullRequest],
    ["pullrequest:rejected", pullRequest],
    ["pullrequest:comment_created", pullRequestComment],
    ["pullrequest:comment_updated", pullRequestComment],
    ["pullrequest:comment_deleted", pullRequestComment],
    ["repo:commit_status_created", status],
    ["repo:commit_status_updated", status],
  ]),
  // The signature covers only the body, so a replay with another id must be recognized by the body. Each body has the
  // time of its change.
  deliveryIdOf: (headers, body) => digestOf(headers["x-event-key"], body),
};
