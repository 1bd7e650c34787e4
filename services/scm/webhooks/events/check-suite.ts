import { z } from "zod";
import { findCheckOf } from "../../checks/check.store.ts";
import { rerunCheck } from "../../checks/rerun-check.ts";
import { EVENT_REASONS } from "../../texts/events.ts";
import { notTriggered } from "../answer.ts";
import { onEvent, repositoryEvent, sha, words } from "./event.ts";

const checkSuiteEvent = repositoryEvent.extend({
  action: words(100),
  check_suite: z.object({ head_sha: sha }),
});

/** Handles a rerun of all checks of a commit. */
export const checkSuite = onEvent(checkSuiteEvent, async (context, event) => {
  if (event.action !== "rerequested") return notTriggered(`Ignored action: check_suite ${event.action}`);
  const { id: repoId, default_branch: defaultBranch } = event.repository;
  const check = await findCheckOf(context.em(), repoId, event.check_suite.head_sha);
  // A replay must not rerun a check that is created later. That check changes the event of another click.
  if (!check?.hostId) return { ...notTriggered(EVENT_REASONS.notChecked), once: true };
  return rerunCheck(context, { repoId, hostId: check.hostId, defaultBranch });
});
