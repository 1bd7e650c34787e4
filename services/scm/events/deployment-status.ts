import { z } from "zod";
import { notTriggered } from "../answer.ts";
import { previewSeen } from "../preview-seen.ts";
import { isProduction, providerOf } from "../preview-url.ts";
import { commitOf, onEvent, repositoryEvent, sha, words } from "./event.ts";

const url = words(2000).nullish();

const deploymentStatusEvent = repositoryEvent.extend({
  deployment: z.object({ sha, environment: words(1000) }),
  deployment_status: z.object({
    state: words(100),
    environment: words(1000).nullish(),
    environment_url: url,
    target_url: url,
  }),
});

/** A deployment of any platform that tells the code host: it says where the commit can be seen. */
export const deploymentStatus = onEvent(deploymentStatusEvent, async (node, event) => {
  const { deployment, deployment_status: told } = event;
  const environment = told.environment || deployment.environment;
  if (isProduction(environment)) return notTriggered("Skipping production deployment");
  if (told.state !== "success") return notTriggered(`The deployment is ${told.state}`);
  const address = told.environment_url || told.target_url;
  if (!address) return notTriggered("The deployment has no URL");
  const answer = await previewSeen(node, commitOf(event, deployment.sha), address);
  const provider = providerOf(address, environment, node.settings.previewDomains);
  return { ...answer, body: { ...z.looseObject({}).parse(answer.body), provider } };
});
