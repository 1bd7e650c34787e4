import { isProduction } from "../../pull-requests/preview-url.rule.ts";
import { recordDeployment } from "../../pull-requests/record-preview.ts";
import { EVENT_REASONS } from "../../texts/events.ts";
import { notTriggered } from "../answer.ts";
import { sha, words } from "../events/event.ts";
import { onProjectEvent, projectEvent } from "./project-event.ts";

/** The event has only a short SHA, but the URL of the commit's page ends with the whole one. */
const COMMIT_PAGE = /\/commit\/([0-9a-f]{40}(?:[0-9a-f]{24})?)$/i;

const deploymentEvent = projectEvent.extend({
  status: words(100),
  environment: words(1000),
  environment_tier: words(100).nullish(),
  environment_external_url: words(2000).nullish(),
  commit_url: words(2000),
});

/** The states of an unfinished deployment, which may have its URL already. */
const UNFINISHED = new Set(["created", "running", "blocked"]);

/** Handles a deployment, which has the preview URL of a commit. */
export const deployment = onProjectEvent(deploymentEvent, async (context, event, { commitAt }) => {
  const { environment, environment_tier: tier, status } = event;
  if (tier === "production" || isProduction(environment))
    return notTriggered("Skipping production deployment");
  const commit = sha.safeParse(COMMIT_PAGE.exec(event.commit_url)?.[1]);
  if (!commit.success) return notTriggered(EVENT_REASONS.noCommit);
  return recordDeployment(context, commitAt(commit.data), {
    source: `deployment ${environment}`,
    state: UNFINISHED.has(status) ? "in_progress" : status,
    url: event.environment_external_url || null,
  });
});
