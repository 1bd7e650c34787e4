import { hasWord } from "../../pull-requests/preview-url.rule.ts";
import { recordDeployment } from "../../pull-requests/record-preview.ts";
import { EVENT_REASONS } from "../../texts/events.ts";
import { notTriggered } from "../answer.ts";
import { sha, words } from "../events/event.ts";
import { giteaCommit, giteaEvent, onGiteaEvent } from "./repository-event.ts";

/** A status with this word in its name has the preview URL of a commit. Gitea has no deployments. */
const PREVIEW_WORD = "preview";

const statusEvent = giteaEvent.extend({
  sha,
  state: words(100),
  context: words(1000),
  target_url: words(2000).nullish(),
});

/** Handles a commit status of a deployment. */
export const status = onGiteaEvent(statusEvent, async (context, event, connection) => {
  const { context: name, state, target_url: url } = event;
  const { platformName } = context.settings;
  const isOwn = name.startsWith("Service / ");
  if (isOwn || !(hasWord(name, PREVIEW_WORD) || hasWord(name, platformName)))
    return notTriggered(EVENT_REASONS.otherStatus);
  return recordDeployment(context, giteaCommit(connection, event, event.sha), {
    source: `status ${name}`,
    state,
    url: url || null,
  });
});
