import { z } from "zod";
import { notTriggered } from "../answer.ts";
import { callOffBootstraps } from "../bootstrap.store.ts";
import { bootstrapRepositories } from "../bootstrap-repositories.ts";
import { abandonChecks } from "../check.store.ts";
import { HostError } from "../host-error.ts";
import { listRepositories, type SeenRepository } from "../repository-host.ts";
import type { ScmNode } from "../scm-node.ts";
import { LOG_MESSAGES } from "../texts.ts";
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
