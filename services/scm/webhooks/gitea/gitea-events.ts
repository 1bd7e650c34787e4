import type { Connection } from "../../connections/connection.store.ts";
import type { EventHandler } from "../events/event.ts";
import { issueComment } from "./issue-comment.ts";
import { pullRequest } from "./pull-request.ts";
import { status } from "./status.ts";

/** The handled events, by Gitea's names. */
const EVENTS: ReadonlyMap<string, (connection: Connection) => EventHandler> = new Map([
  ["pull_request", pullRequest],
  ["issue_comment", issueComment],
  ["status", status],
]);

/** Returns what handles an event of a connection, or null for an ignored event. */
export function giteaHandlerOf(connection: Connection, event: string): EventHandler | null {
  return EVENTS.get(event)?.(connection) ?? null;
}
