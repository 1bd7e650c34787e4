import { z } from "zod";
import { passMergeGroup } from "../../checks/start-check.ts";
import { notTriggered } from "../answer.ts";
import { commitOf, onEvent, repositoryEvent, sha, words } from "./event.ts";

const mergeGroupEvent = repositoryEvent.extend({
  action: words(100),
  merge_group: z.object({ head_sha: sha }),
});

/** Pull requests wait in a queue to be merged together; the queue waits for a check of the group. */
export const mergeGroup = onEvent(mergeGroupEvent, async (node, event) => {
  if (event.action !== "checks_requested") return notTriggered(`Ignored action: merge_group ${event.action}`);
  return passMergeGroup(node, commitOf(event, event.merge_group.head_sha));
});
