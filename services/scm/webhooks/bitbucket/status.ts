import { z } from "zod";
import { EVENT_REASONS } from "../../texts/events.ts";
import { notTriggered } from "../answer.ts";
import { followStatus } from "../connected/preview-status.ts";
import { sha, words } from "../events/event.ts";
import { bitbucketEvent, onBitbucketEvent } from "./repository-event.ts";

/** The event names its commit only by a link. */
const COMMIT_LINK = /\/commit\/([0-9a-f]{40}(?:[0-9a-f]{24})?)$/i;

const statusEvent = bitbucketEvent.extend({
  commit_status: z.object({
    key: words(1000),
    name: words(1000).nullish(),
    state: words(100),
    url: words(2000).nullish(),
    links: z.object({ commit: z.object({ href: words(2000) }) }),
  }),
});

/** The states in the words of deployments. */
const STATES: Record<string, string> = { SUCCESSFUL: "success", INPROGRESS: "in_progress" };

/** Handles a build status of a commit. Bitbucket sends no events of deployments. */
export const status = onBitbucketEvent(statusEvent, async (context, event, { commitAt }) => {
  const { key, name, state, url, links } = event.commit_status;
  const commit = sha.safeParse(COMMIT_LINK.exec(links.commit.href)?.[1]);
  if (!commit.success) return notTriggered(EVENT_REASONS.noCommit);
  return followStatus(context, commitAt(commit.data), {
    name: name || key,
    state: STATES[state] ?? state.toLowerCase(),
    url: url || null,
  });
});
