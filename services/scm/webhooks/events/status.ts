import { hasWord } from "../../pull-requests/preview-url.rule.ts";
import { takeStatus } from "../../pull-requests/record-preview.ts";
import { EVENT_REASONS } from "../../texts.ts";
import { notTriggered } from "../answer.ts";
import { commitOf, onEvent, repositoryEvent, sha, words } from "./event.ts";

const statusEvent = repositoryEvent.extend({
  sha,
  state: words(100),
  context: words(1000),
  target_url: words(2000).nullable(),
});

/** A commit status: the deployment platform's says where the commit can be seen. */
export const status = onEvent(statusEvent, async (node, event) => {
  const { context, state, target_url: url } = event;
  if (!hasWord(context, node.settings.platformName)) return notTriggered(EVENT_REASONS.otherStatus);
  return takeStatus(node, commitOf(event, event.sha), {
    source: `status ${context}`,
    state,
    url: url || null,
  });
});
