import { z } from "zod";
import type { Commit } from "../../checks/start-check.ts";
import type { Connection } from "../../connections/connection.store.ts";
import type { ScmContext } from "../../scm-context.ts";
import { CONNECTION_ERRORS } from "../../texts/connections.ts";
import { notTriggered } from "../answer.ts";
import { type EventHandler, type Handled, hostId, onEvent, words } from "../events/event.ts";

/** The part of each event that names its repository. */
export const giteaEvent = z.object({
  repository: z.object({ id: hostId, html_url: words(2000), default_branch: words(255).nullish() }),
});

/** Returns a handler of a connection's events. An event of another repository has the wrong webhook. */
export function onGiteaEvent<T extends z.infer<typeof giteaEvent>>(
  schema: z.ZodType<T>,
  handle: (context: ScmContext, event: T, connection: Connection) => Promise<Handled>,
): (connection: Connection) => EventHandler {
  return connection =>
    onEvent(schema, async (context, event) =>
      event.repository.id === connection.hostId
        ? handle(context, event, connection)
        : notTriggered(CONNECTION_ERRORS.otherProject),
    );
}

/** Returns the commit that an event is about. */
export function giteaCommit(
  { id, teamId, owner, repo }: Connection,
  { repository }: z.infer<typeof giteaEvent>,
  sha: string,
): Commit {
  return { installationId: id, repoId: id, owner, repo, page: repository.html_url, sha, teamId };
}
