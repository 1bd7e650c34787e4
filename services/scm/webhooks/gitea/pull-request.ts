import { z } from "zod";
import { followPull } from "../../pull-requests/follow-pull.ts";
import { EVENT_REASONS } from "../../texts/events.ts";
import { notTriggered } from "../answer.ts";
import { hostId, words } from "../events/event.ts";
import { pullActionOf, pullBase, pullEventOf, pullHead, pullPayload } from "../events/pull-payload.ts";
import { giteaEvent, onGiteaEvent } from "./repository-event.ts";

/** The actions that bring a commit to check. */
const STARTING = new Set(["opened", "reopened", "synchronized"]);

const end = { repo_id: hostId.nullish().catch(null) };

const pullRequestEvent = giteaEvent.extend({
  action: words(100),
  /** The previous values of an edited pull request. `ref` is the base's. */
  changes: z.object({ ref: z.looseObject({}).nullish() }).nullish(),
  pull_request: pullPayload.extend({ head: pullHead.extend(end), base: pullBase.extend(end) }),
});

/** Handles a pull request. */
export const pullRequest = onGiteaEvent(
  pullRequestEvent,
  async (context, event, { commitAt, defaultBranch }) => {
    const { action, pull_request: pull } = event;
    const isRetargeted = event.changes?.ref != null;
    const followed = pullActionOf(pull, action, { starting: STARTING, isRetargeted });
    if (followed === null) return notTriggered(EVENT_REASONS.ignoredAction(action));
    // The head's repository is missing after a fork was deleted.
    const fromFork = pull.head.repo_id !== pull.base.repo_id;
    const of = pullEventOf(pull, commitAt, { fromFork, defaultBranch });
    return followPull(context, followed, of, pull.merge_commit_sha ?? null);
  },
);
