import type { RepositoryHost } from "../code-host/code-host.ts";
import { BOOTSTRAP_TEXTS } from "../texts/events.ts";

/** The repository's configuration files. With one of them on the default branch, a repository needs no bootstrap. */
export const CONFIG_PATHS = ["service.config.ts", ".github/service.yml"] as const;
export const BOOTSTRAP_BRANCH = "service/bootstrap-config";

export const PULL_TITLE = BOOTSTRAP_TEXTS.title;

/** The optional workflow of a bootstrap pull request. */
export interface BootstrapWorkflow {
  path: string;
  /** Null if it would name an action that does not exist. */
  text: string | null;
  /** Why the pull request omits the workflow, as a sentence; null if it includes it. */
  omittedBecause: string | null;
}

/** The files of a bootstrap pull request. */
export interface BootstrapFiles {
  /** `service.config.ts`. */
  config: string;
  workflow: BootstrapWorkflow;
}

/** Returns a workflow that the app has no permission to write. */
export function withoutPermission(workflow: BootstrapWorkflow): BootstrapWorkflow {
  return { ...workflow, omittedBecause: BOOTSTRAP_TEXTS.noPermission };
}

export function pullBody(workflow: BootstrapWorkflow, ci: RepositoryHost["ci"]): string {
  const terms = BOOTSTRAP_TEXTS.terms[ci];
  return BOOTSTRAP_TEXTS.body(aboutWorkflow(workflow, terms.request), BOOTSTRAP_BRANCH, terms);
}

function aboutWorkflow({ path, text, omittedBecause }: BootstrapWorkflow, request: string): string {
  if (omittedBecause === null) return BOOTSTRAP_TEXTS.workflow(path, request);
  const reason = BOOTSTRAP_TEXTS.withoutWorkflow(omittedBecause, request);
  return text === null ? reason : reason + BOOTSTRAP_TEXTS.addWorkflow(path, text);
}
