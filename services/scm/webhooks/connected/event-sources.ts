import type { ConnectedHost } from "../../../../shared/contracts/code-host/connections.ts";
import type { Connection } from "../../connections/connection.store.ts";
import { bitbucketEvents } from "../bitbucket/bitbucket-events.ts";
import type { EventHandler } from "../events/event.ts";
import { giteaEvents } from "../gitea/gitea-events.ts";
import { gitlabEvents } from "../gitlab/gitlab-events.ts";
import type { EventSource } from "./event-source.ts";

export const EVENT_SOURCES: Record<ConnectedHost, EventSource> = {
  gitlab: gitlabEvents,
  gitea: giteaEvents,
  bitbucket: bitbucketEvents,
};

/** Returns what handles an event of a connection, or null for an ignored event. */
export function connectedHandlerOf(connection: Connection, event: string): EventHandler | null {
  return EVENT_SOURCES[connection.host].events.get(event)?.(connection) ?? null;
}
