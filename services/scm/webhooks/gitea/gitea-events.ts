import { CONNECTION_ERRORS } from "../../texts/connections.ts";
import { digestOf, type EventSource, givenId } from "../connected/event-source.ts";
import { isSignedBy } from "../signature.rule.ts";
import { issueComment } from "./issue-comment.ts";
import { pullRequest } from "./pull-request.ts";
import { status } from "./status.ts";

/** The events of Gitea and Forgejo. */
export const giteaEvents: EventSource = {
  // Only hexadecimal digits, without the name of the algorithm.
  isAuthentic: (secret, headers, body) => isSignedBy(secret, body, `sha256=${headers["x-gitea-signature"]}`),
  refusal: CONNECTION_ERRORS.badSignature,
  eventHeader: "x-gitea-event",
  events: new Map([
    ["pull_request", pullRequest],
    ["issue_comment", issueComment],
    ["status", status],
  ]),
  deliveryIdOf: (headers, body) => givenId(headers["x-gitea-delivery"]) ?? digestOf("", body),
};
