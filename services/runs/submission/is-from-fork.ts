import { call } from "../../../shared/contracts/bus.ts";
import type { ForwardedRun } from "../../../shared/contracts/code-host/scm-actions.ts";
import type { RunsContext } from "../runs-context.ts";

/**
 * Returns whether the commit of a run belongs to a pull request from a fork. Without an app in the repository,
 * only the submitter knows, who has an API key of the team.
 * @throws ServiceError unavailable if the code host does not respond
 */
export async function isFromFork({ bus }: Pick<RunsContext, "bus">, run: ForwardedRun): Promise<boolean> {
  const { owner, repo, sha, pr } = run.commit;
  const commit = { owner, repo, sha, ...(pr !== undefined && { pr }) };
  try {
    return (await call(bus, "scm.isFromFork", { ...run, commit })) ?? false;
  } catch (error) {
    if (error instanceof Error && error.name === "ServiceNotFoundError") return false;
    throw error;
  }
}
