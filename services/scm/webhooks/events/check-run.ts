import { z } from "zod";
import { approveCheck } from "../../checks/approve-check.ts";
import { APPROVE } from "../../checks/describe-check.ts";
import { rerunCheck } from "../../checks/rerun-check.ts";
import { notTriggered } from "../answer.ts";
import { hostId, onEvent, repositoryEvent, words } from "./event.ts";

const checkRunEvent = repositoryEvent.extend({
  action: words(100),
  check_run: z.object({ id: hostId, details_url: words(2000).nullish().catch(null) }),
  requested_action: z.object({ identifier: words(100) }).nullish(),
  sender: z.object({ id: hostId, login: words(100) }),
});

/** Handles the buttons of our check runs: rerun and approve. */
export const checkRun = onEvent(checkRunEvent, async (context, event) => {
  const { action, requested_action: requested, sender } = event;
  const { id: repoId, default_branch: defaultBranch } = event.repository;
  const of = { hostId: event.check_run.id, repoId, defaultBranch };
  if (action === "rerequested") return rerunCheck(context, of);
  if (action === "requested_action" && requested?.identifier === APPROVE)
    return approveCheck(context, { ...of, detailsUrl: event.check_run.details_url ?? null }, sender);
  return notTriggered(`Ignored action: check_run ${action}`);
});
