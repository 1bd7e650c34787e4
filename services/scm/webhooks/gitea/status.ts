import { followStatus } from "../connected/preview-status.ts";
import { sha, words } from "../events/event.ts";
import { giteaEvent, onGiteaEvent } from "./repository-event.ts";

const statusEvent = giteaEvent.extend({
  sha,
  state: words(100),
  context: words(1000),
  target_url: words(2000).nullish(),
});

/** Handles a commit status. Gitea has no deployments. */
export const status = onGiteaEvent(statusEvent, async (context, event, { commitAt }) => {
  const { context: name, state, target_url: url } = event;
  return followStatus(context, commitAt(event.sha), { name, state, url: url || null });
});
