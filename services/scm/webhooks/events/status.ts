import { hasWord } from "../../pull-requests/preview-url.rule.ts";
import { recordDeployment } from "../../pull-requests/record-preview.ts";
import { EVENT_REASONS } from "../../texts/events.ts";
import { notTriggered } from "../answer.ts";
import { commitOf, onEvent, repositoryEvent, sha, words } from "./event.ts";

const statusEvent = repositoryEvent.extend({
  sha,
  state: words(100),
  context: words(1000),
  target_url: words(2000).nullable(),
});

/** Handles a commit status. The deployment platform's has the preview URL of a commit. */
export const status = onEvent(statusEvent, async (context, event) => {
  const { context: name, state, target_url: url } = event;
  if (!hasWord(name, context.settings.platformName)) return notTriggered(EVENT_REASONS.otherStatus);
  return recordDeployment(context, commitOf(event, event.sha), {
    source: `status ${name}`,
    state,
    url: url || null,
  });
});
