import { WORKFLOW_PATH } from "../../../shared/project-config/starter/starter-workflow.ts";
import { BOOTSTRAP_TEXTS } from "../texts.ts";

/** Where the repository's settings for this service are; one of them on the default branch and it needs no bootstrap. */
export const CONFIG_PATHS = ["service.config.ts", ".github/service.yml"] as const;
export const BOOTSTRAP_BRANCH = "service/bootstrap-config";

export const PULL_TITLE = BOOTSTRAP_TEXTS.title;

/** The optional workflow of a bootstrap pull request. */
export interface BootstrapWorkflow {
  /** Null where it would name an action that does not exist. */
  text: string | null;
  /** Why the pull request goes without it, as a sentence; null when it is in it. */
  leftOutBecause: string | null;
}

/** What a bootstrap pull request proposes. */
export interface BootstrapFiles {
  /** `service.config.ts`. */
  config: string;
  workflow: BootstrapWorkflow;
}

/** The workflow of an app without the permission to write any. */
export function withoutPermission({ text }: BootstrapWorkflow): BootstrapWorkflow {
  return { text, leftOutBecause: BOOTSTRAP_TEXTS.noPermission };
}

export function pullBody(workflow: BootstrapWorkflow): string {
  return BOOTSTRAP_TEXTS.body(aboutWorkflow(workflow), BOOTSTRAP_BRANCH);
}

function aboutWorkflow({ text, leftOutBecause }: BootstrapWorkflow): string {
  if (leftOutBecause === null) return BOOTSTRAP_TEXTS.workflow(WORKFLOW_PATH);
  const reason = BOOTSTRAP_TEXTS.withoutWorkflow(leftOutBecause);
  return text === null ? reason : reason + BOOTSTRAP_TEXTS.addWorkflow(WORKFLOW_PATH, text);
}
