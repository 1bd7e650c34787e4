import { z } from "zod";
import { findCheckOf } from "../../checks/check.store.ts";
import { rerunCheck } from "../../checks/rerun-check.ts";
import { EVENT_REASONS } from "../../texts.ts";
import { notTriggered } from "../answer.ts";
import { onEvent, repositoryEvent, sha, words } from "./event.ts";

const checkSuiteEvent = repositoryEvent.extend({
  action: words(100),
  check_suite: z.object({ head_sha: sha }),
});

/** All checks of a commit are asked for again; ours is one of them. */
export const checkSuite = onEvent(checkSuiteEvent, async (node, event) => {
  if (event.action !== "rerequested") return notTriggered(`Ignored action: check_suite ${event.action}`);
  const { id: repoId, default_branch: defaultBranch } = event.repository;
  const check = await findCheckOf(node.em(), repoId, event.check_suite.head_sha);
  if (!check?.hostId) return notTriggered(EVENT_REASONS.notChecked);
  return rerunCheck(node, { repoId, hostId: check.hostId, defaultBranch });
});
