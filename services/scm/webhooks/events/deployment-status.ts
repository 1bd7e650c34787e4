import { z } from "zod";
import { providerOf } from "../../pull-requests/preview-provider.rule.ts";
import { isProduction } from "../../pull-requests/preview-url.rule.ts";
import { expectedUrl, takeStatus } from "../../pull-requests/record-preview.ts";
import { EVENT_REASONS } from "../../texts.ts";
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

/** A deployment of a platform that tells the code host: it says where the commit can be seen. */
export const deploymentStatus = onEvent(deploymentStatusEvent, async (node, event) => {
  const { deployment, deployment_status: told } = event;
  const environment = told.environment || deployment.environment;
  if (isProduction(environment)) return notTriggered("Skipping production deployment");
  const commit = commitOf(event, deployment.sha);
  const source = `deployment ${environment}`;
  const said = told.environment_url || told.target_url || null;
  const address = said ?? expectedUrl(node, commit, source);
  const teller = told.creator?.login ?? null;
  const provider = providerOf({ address, environment, teller }, node.settings);
  if (provider === "other") return notTriggered(EVENT_REASONS.otherEnvironment(environment.slice(0, 100)));
  const answer = await takeStatus(node, commit, { source, state: told.state, url: said });
  return { ...answer, body: { ...z.looseObject({}).parse(answer.body), provider } };
});
