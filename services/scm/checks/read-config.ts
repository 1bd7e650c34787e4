import type { RunConfig } from "../../../shared/contracts/code-host/scm-actions.ts";
import { runOf, storybookOf } from "../../../shared/project-config/run-of.ts";
import { readConfigStatically } from "../../../shared/project-config/static-reading/read-config-statically.ts";
import type { RepositoryHost } from "../code-host/code-host.ts";
import type { CheckRun } from "./check-run.entity.ts";

/**
 * In order of precedence. The second is only for pull requests, so a repository with a computed file can use the first.
 */
const PATHS = [".github/service.yml", "service.config.ts"] as const;

/**
 * Reads a pull request's configuration at its head, without running it. A pull request from a fork uses the
 * configuration of its base branch, because the fork's author must not choose it.
 * @throws HostError; Error if this machine cannot parse the file
 */
export async function readConfig(
  repository: RepositoryHost,
  { sha, pull }: Pick<CheckRun, "sha" | "pull">,
): Promise<RunConfig> {
  const ref = pull?.fromFork ? `refs/heads/${pull.base}` : sha;
  for (const path of PATHS) {
    const source = await repository.contents.readFile(path, ref);
    if (source === null) continue;
    const { config, failures } = await readConfigStatically(source, path);
    if (config === null) return { path, faults: failures };
    // The repository determines the project. A pull request that names another project could move its approvals there.
    const { project: _project, ...run } = runOf(config);
    return { run, storybook: storybookOf(config) };
  }
  return { run: {} };
}
