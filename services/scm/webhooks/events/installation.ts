import { z } from "zod";
import { callOffBootstraps } from "../../bootstrap/bootstrap.store.ts";
import { bootstrapRepositories } from "../../bootstrap/bootstrap-repositories.ts";
import { abandonChecks } from "../../checks/check.store.ts";
import { HostError } from "../../code-host/host-error.ts";
import { listRepositories, type SeenRepository } from "../../code-host/repository-host.ts";
import type { ScmNode } from "../../scm-context.ts";
import { LOG_MESSAGES } from "../../texts.ts";
import { notTriggered } from "../answer.ts";
import { hostId, onEvent, repositories, words } from "./event.ts";

const installationEvent = z.object({
  action: words(100),
  installation: z.object({ id: hostId }),
  repositories: repositories.default([]),
});

/** The app was installed, or is not any more. */
export const installation = onEvent(installationEvent, async (node, event) => {
  const { action } = event;
  const { id } = event.installation;
  if (action === "created") {
    const seen = await seenBy(node, id).catch(error => {
      if (!(error instanceof HostError)) throw error;
      node.warn(error, LOG_MESSAGES.repositoriesNotListed);
      return error;
    });
    if (!(seen instanceof HostError)) return bootstrapRepositories(node, id, seen, { again: false });
    // The event has them too, if not all.
    const answer = await bootstrapRepositories(node, id, event.repositories, { again: false });
    return { ...answer, unfinished: seen };
  }
  if (action === "deleted") {
    await callOffBootstraps(node.em(), id, null);
    await abandonChecks(node.em(), id);
  }
  return notTriggered(`Ignored action: installation ${action}`);
});

async function seenBy({ app }: ScmNode, installationId: string): Promise<SeenRepository[]> {
  return listRepositories(await app.installation(installationId, "bootstrap"));
}
