import { z } from "zod";
import { providerOf } from "../../pull-requests/preview-provider.rule.ts";
import { isProduction } from "../../pull-requests/preview-url.rule.ts";
import { expectedUrl, recordDeployment } from "../../pull-requests/record-preview.ts";
import { EVENT_REASONS } from "../../texts/events.ts";
import { notTriggered } from "../answer.ts";
import { commitOf, onEvent, repositoryEvent, sha, words } from "./event.ts";

const url = words(2000).nullish();

const deploymentStatusEvent = repositoryEvent.extend({
  deployment: z.object({ sha, environment: words(1000) }),
  deployment_status: z.object({
    state: words(100),
    environment: words(1000).nullish(),
    environment_url: url,
    target_url: url,
    creator: z
      .object({ login: words(100) })
      .nullish()
      .catch(null),
  }),
});

/** Handles a deployment status, which has the preview URL of a commit. */
export const deploymentStatus = onEvent(deploymentStatusEvent, async (context, event) => {
  const { deployment, deployment_status: reported } = event;
  const environment = reported.environment || deployment.environment;
  if (isProduction(environment)) return notTriggered("Skipping production deployment");
  const commit = commitOf(event, deployment.sha);
  const source = `deployment ${environment}`;
  const statedUrl = reported.environment_url || reported.target_url || null;
  const address = statedUrl ?? expectedUrl(context, commit, source);
  const creatorLogin = reported.creator?.login ?? null;
  const provider = providerOf({ address, environment, creatorLogin }, context.settings);
  if (provider === "other") return notTriggered(EVENT_REASONS.otherEnvironment(environment.slice(0, 100)));
  const answer = await recordDeployment(context, commit, { source, state: reported.state, url: statedUrl });
  return { ...answer, body: { ...z.looseObject({}).parse(answer.body), provider } };
});
