import { z } from "zod";
import { passMergeGroup } from "../../checks/start-check.ts";
import { notTriggered } from "../answer.ts";
import { commitOf, onEvent, repositoryEvent, sha, words } from "./event.ts";

const mergeGroupEvent = repositoryEvent.extend({
  action: words(100),
  merge_group: z.object({ head_sha: sha }),
});

/** Handles a merge queue, which waits for a check of its group. */
export const mergeGroup = onEvent(mergeGroupEvent, async (context, event) => {
  if (event.action !== "checks_requested") return notTriggered(`Ignored action: merge_group ${event.action}`);
  return passMergeGroup(context, commitOf(event, event.merge_group.head_sha));
});
