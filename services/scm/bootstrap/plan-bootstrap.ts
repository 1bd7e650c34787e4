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
import { starterWorkflow } from "../../../shared/project-config/starter/starter-workflow.ts";
import type { RepositoryContents, RepositoryName } from "../code-host/code-host.ts";
import { isRefused } from "../code-host/host-error.ts";
import type { ScmContext } from "../scm-context.ts";
import { BOOTSTRAP_TEXTS } from "../texts.ts";
import type { BootstrapFiles, BootstrapWorkflow } from "./bootstrap-files.ts";

/**
 * Plans the files of a bootstrap pull request from how the repository's files start the application.
 * @param base the commit to read
 * @throws HostError
 */
export async function planBootstrap(
  context: ScmContext,
  of: { installationId: string } & RepositoryName,
  contents: RepositoryContents,
  base: string,
): Promise<BootstrapFiles> {
  const names = await contents.namesAt(base);
  const manifest = names.has("package.json") ? await contents.readFile("package.json", base) : null;
  const guess = guessProject(manifest === null ? null : parseManifest(manifest), names);
  const runner = await chooseRunner(context.settings.action, guess, () => findAction(context, of));
  return {
    config: starterConfig(starterOf(guess)),
    workflow: planWorkflow(runner, guess, `${of.owner}/vrs`),
  };
}

/** Plans the workflow. A workflow that fails from its first run is worse than none. */
function planWorkflow(
  runner: WorkflowRunner | null,
  { install, starting }: Guess,
  usual: string,
): BootstrapWorkflow {
  if (runner === null) {
    const omittedBecause = BOOTSTRAP_TEXTS.noAction(`${usual}@${ACTION_TAG}`);
    return { text: null, omittedBecause };
  }
  const text = starterWorkflow({ runner, install, starting, waitsForBaselines: true });
  const omittedBecause = starting === null ? BOOTSTRAP_TEXTS.noStart : null;
  return { text, omittedBecause };
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
