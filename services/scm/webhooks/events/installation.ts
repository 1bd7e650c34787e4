import { z } from "zod";
import { cancelBootstraps } from "../../bootstrap/bootstrap.store.ts";
import { bootstrapRepositories } from "../../bootstrap/bootstrap-repositories.ts";
import { abandonChecks } from "../../checks/check.store.ts";
import { HostError } from "../../code-host/host-error.ts";
import { LOG_MESSAGES } from "../../texts/log.ts";
import { notTriggered } from "../answer.ts";
import { hostId, onEvent, repositories, words } from "./event.ts";

const installationEvent = z.object({
  action: words(100),
  installation: z.object({ id: hostId }),
  repositories: repositories.default([]),
});

/** Handles an installation of the app, or its removal. */
export const installation = onEvent(installationEvent, async (context, event) => {
  const { action } = event;
  const { id } = event.installation;
  if (action === "created") {
    const listed = await context.host.listRepositories(id).catch(error => {
      if (!(error instanceof HostError)) throw error;
      context.warn(error, LOG_MESSAGES.repositoriesNotListed);
      return error;
    });
    if (!(listed instanceof HostError))
      return bootstrapRepositories(context, id, listed, { includesProposed: false });
    // The event lists repositories too, but perhaps not all.
    const answer = await bootstrapRepositories(context, id, event.repositories, { includesProposed: false });
    return { ...answer, unfinished: listed };
  }
  if (action === "deleted") {
    await cancelBootstraps(context.em(), id, null);
    await abandonChecks(context.em(), id);
  }
  return notTriggered(`Ignored action: installation ${action}`);
});
