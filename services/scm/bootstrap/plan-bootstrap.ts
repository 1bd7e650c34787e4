import {
  ACTION_TAG,
  chooseRunner,
  type WorkflowRunner,
} from "../../../shared/project-config/starter/choose-runner.ts";
import {
  type Guess,
  guessProject,
  parseManifest,
  starterOf,
} from "../../../shared/project-config/starter/guess-project.ts";
import { starterConfig } from "../../../shared/project-config/starter/starter-config.ts";
import { STARTER_PIPELINES } from "../../../shared/project-config/starter/starter-pipeline.ts";
import { starterWorkflow, WORKFLOW_PATH } from "../../../shared/project-config/starter/starter-workflow.ts";
import type { RepositoryHost, RepositoryName } from "../code-host/code-host.ts";
import { isRefused } from "../code-host/host-error.ts";
import type { ScmContext } from "../scm-context.ts";
import { BOOTSTRAP_TEXTS } from "../texts/events.ts";
import type { BootstrapFiles, BootstrapWorkflow } from "./bootstrap-files.ts";

/**
 * Plans the files of a bootstrap pull request from how the repository's files start the application.
 * @param base the commit to read
 * @throws HostError
 */
export async function planBootstrap(
  context: ScmContext,
  of: { installationId: string } & RepositoryName,
  { contents, ci }: RepositoryHost,
  base: string,
): Promise<BootstrapFiles> {
  const names = await contents.namesAt(base);
  const manifest = names.has("package.json") ? await contents.readFile("package.json", base) : null;
  const guess = guessProject(manifest === null ? null : parseManifest(manifest), names);
  const config = starterConfig(starterOf(guess));
  if (ci === "gitlab" || ci === "bitbucket") return { config, workflow: planPipeline(ci, guess, names) };
  if (ci === "none")
    return {
      config,
      workflow: { path: WORKFLOW_PATH, text: null, omittedBecause: BOOTSTRAP_TEXTS.noWorkflow },
    };
  const runner = await chooseRunner(context.settings.action, guess, () => findAction(context, of));
  return { config, workflow: planWorkflow(runner, guess, `${of.owner}/vrs`) };
}

/** Plans the pipeline. A repository's own pipeline is never changed. */
function planPipeline(
  ci: keyof typeof STARTER_PIPELINES,
  { install, starting, hasVrs }: Guess,
  names: Set<string>,
): BootstrapWorkflow {
  const { path, write } = STARTER_PIPELINES[ci];
  if (!hasVrs) return { path, text: null, omittedBecause: BOOTSTRAP_TEXTS.noDependency };
  const text = write(install, starting);
  if (names.has(path)) return { path, text, omittedBecause: BOOTSTRAP_TEXTS.hasPipeline };
  return { path, text, omittedBecause: starting === null ? BOOTSTRAP_TEXTS.noStart : null };
}

/** Plans the workflow. A workflow that fails from its first run is worse than none. */
function planWorkflow(
  runner: WorkflowRunner | null,
  { install, starting }: Guess,
  usual: string,
): BootstrapWorkflow {
  const path = WORKFLOW_PATH;
  if (runner === null) {
    const omittedBecause = BOOTSTRAP_TEXTS.noAction(`${usual}@${ACTION_TAG}`);
    return { path, text: null, omittedBecause };
  }
  const text = starterWorkflow({ runner, install, starting, waitsForBaselines: true });
  const omittedBecause = starting === null ? BOOTSTRAP_TEXTS.noStart : null;
  return { path, text, omittedBecause };
}

/** Returns the owner's copy of the action, or null if the app sees none. */
async function findAction(
  context: ScmContext,
  { installationId, owner }: { installationId: string; owner: string },
): Promise<string | null> {
  const repo = "vrs";
  const { contents } = await context.host.repository({ installationId, owner, repo }, "bootstrap");
  try {
    return (await contents.hasTag(ACTION_TAG)) ? `${owner}/${repo}` : null;
  } catch (error) {
    if (isRefused(error)) return null;
    throw error;
  }
}
