import type { Connection } from "../../connections/connection.store.ts";
import type { EventHandler } from "../events/event.ts";
import { deployment } from "./deployment.ts";
import { mergeRequest } from "./merge-request.ts";
import { note } from "./note.ts";

/** The handled events, by GitLab's names. */
const EVENTS: ReadonlyMap<string, (connection: Connection) => EventHandler> = new Map([
  ["Merge Request Hook", mergeRequest],
  ["Deployment Hook", deployment],
  ["Note Hook", note],
]);

/** Returns what handles an event of a connection, or null for an ignored event. */
export function gitlabHandlerOf(connection: Connection, event: string): EventHandler | null {
  return EVENTS.get(event)?.(connection) ?? null;
}
