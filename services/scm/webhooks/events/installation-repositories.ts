import { z } from "zod";
import { cancelBootstraps } from "../../bootstrap/bootstrap.store.ts";
import { bootstrapRepositories } from "../../bootstrap/bootstrap-repositories.ts";
import { notTriggered } from "../answer.ts";
import { hostId, onEvent, repositories, words } from "./event.ts";

const installationRepositoriesEvent = z.object({
  action: words(100),
  installation: z.object({ id: hostId }),
  repositories_added: repositories.default([]),
  repositories_removed: z
    .array(z.object({ id: hostId }))
    .max(10_000)
    .default([]),
});

/** Handles repositories that were added to or removed from an installation. */
export const installationRepositories = onEvent(installationRepositoriesEvent, async (context, event) => {
  const { id } = event.installation;
  const removed = event.repositories_removed.map(repository => repository.id);
  if (removed.length > 0) await cancelBootstraps(context.em(), id, removed);
  // A replay must not cancel the bootstrap of a repository that was added again. Without access, one ends by itself.
  if (event.action !== "added")
    return {
      ...notTriggered(`Ignored action: installation_repositories ${event.action}`),
      once: removed.length > 0,
    };
  // Not only once: people request another proposal by deleting the branch and adding the repository again. That event may
  // be equal to the first. While the branch exists, a replay opens nothing.
  return bootstrapRepositories(context, id, event.repositories_added, { includesProposed: true });
});
