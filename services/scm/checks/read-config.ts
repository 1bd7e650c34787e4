import type { RunConfig } from "../../../shared/contracts/code-host/scm-actions.ts";
import { runOf } from "../../../shared/project-config/run-of.ts";
import { readConfigStatically } from "../../../shared/project-config/static-reading/read-config-statically.ts";
import type { RepositoryHost } from "../code-host/repository-host.ts";
import type { CheckRun } from "./check-run.entity.ts";

/** In the order in which they count. The second is for pull requests only, so that a file that computes has a way out. */
const PATHS = [".github/service.yml", "service.config.ts"] as const;

/**
 * Reads the configuration that a pull request is checked by, without running it: its own at its head. One from a fork
 * is checked by that of the branch that it is to be merged into: whoever wrote it has no say here yet.
 * @throws HostError; Error when this machine does not get it read
 */
export async function readConfig(
  repository: RepositoryHost,
  { sha, pull }: Pick<CheckRun, "sha" | "pull">,
): Promise<RunConfig> {
  const ref = pull?.fromFork ? `refs/heads/${pull.base}` : sha;
  for (const path of PATHS) {
    const source = await repository.contents.readFile(path, ref);
    if (source === null) continue;
    const { config, faults } = await readConfigStatically(source, path);
    if (config === null) return { path, faults };
    // The repository names the project here: a pull request could name another's, and have its approvals hold there.
    const { project: _project, ...run } = runOf(config);
    return { run };
  }
  return { run: {} };
}
