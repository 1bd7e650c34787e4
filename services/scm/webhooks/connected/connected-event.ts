import type { z } from "zod";
import type { Commit } from "../../checks/start-check.ts";
import type { Connection } from "../../connections/connection.store.ts";
import type { ScmContext } from "../../scm-context.ts";
import { CONNECTION_ERRORS } from "../../texts/connections.ts";
import { notTriggered } from "../answer.ts";
import { type EventHandler, type Handled, onEvent } from "../events/event.ts";

/** The repository of an event. */
interface EventRepository {
  /** As in the connection. */
  id: string;
  /** The URL of its page. */
  page: string;
  /** Undefined if the event does not name it. */
  defaultBranch: string | undefined;
}

/** The connection that an event arrived at. */
interface ConnectedFrom {
  connection: Connection;
  defaultBranch: string | undefined;
  /** Returns a commit of the event's repository. */
  commitAt(sha: string): Commit;
}

/** Handles the events of a connection. */
export type ConnectedHandler = (connection: Connection) => EventHandler;

/**
 * Returns a maker of handlers for the events of a code host. An event of another repository has the wrong webhook.
 * @param repositoryOf reads the repository, which each code host names in its own way
 */
export function connectedEvents<Named>(repositoryOf: (event: Named) => EventRepository) {
  return <T extends Named>(
    schema: z.ZodType<T>,
    handle: (context: ScmContext, event: T, from: ConnectedFrom) => Promise<Handled>,
  ): ConnectedHandler =>
    connection =>
      onEvent(schema, async (context, event) => {
        const { id, page, defaultBranch } = repositoryOf(event);
        if (id !== connection.hostId) return notTriggered(CONNECTION_ERRORS.otherProject);
        const { id: repoId, teamId, owner, repo } = connection;
        const commitAt = (sha: string) => ({
          installationId: repoId,
          repoId,
          owner,
          repo,
          page,
          sha,
          teamId,
        });
        return handle(context, event, { connection, defaultBranch, commitAt });
      });
}
