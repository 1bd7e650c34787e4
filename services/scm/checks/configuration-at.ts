import { bounded } from "../../../shared/capture/page/bounded.ts";
import type { RunConfig } from "../../../shared/contracts/code-host/scm-actions.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { HostError, isRefused } from "../code-host/host-error.ts";
import type { RepositoryName } from "../code-host/repository-access.ts";
import { installationOf, repositoryOf, type ScmContext } from "../scm-context.ts";
import { CONFIGURATION_ERRORS, LOG_MESSAGES } from "../texts.ts";
import { readConfig } from "./read-config.ts";

/** Somebody waits for the answer to a submission; the deployment platform's integration does for eight seconds. */
const READ_WITHIN_MS = 5_000;
/** Of a part of one it cannot be told whose it is. */
const WHOLE_SHA = /^([0-9a-f]{40}|[0-9a-f]{64})$/i;

type Commit = RepositoryName & { sha: string };

/**
 * What a repository's configuration says at a commit that somebody else submits a run of; null where the app is not
 * installed there, or may not read it.
 * @throws ServiceError unavailable, where the code host does not answer
 */
export async function configurationAt(
  context: Pick<ScmContext, "app" | "warn">,
  commit: Commit,
): Promise<RunConfig | null> {
  const unavailable = () => new ServiceError("unavailable", CONFIGURATION_ERRORS.unavailable);
  try {
    return await bounded(readAt(context, commit), READ_WITHIN_MS, unavailable);
  } catch (error) {
    if (error instanceof HostError && error.passing) throw unavailable();
    if (!isRefused(error)) throw error;
    context.warn(error, LOG_MESSAGES.noAccess(commit.owner, commit.repo));
    return null;
  }
}

async function readAt(
  context: Pick<ScmContext, "app">,
  { owner, repo, sha }: Commit,
): Promise<RunConfig | null> {
  if (!WHOLE_SHA.test(sha)) return null;
  const installationId = await installationOf(context, { owner, repo });
  if (installationId === null) return null;
  const repository = await repositoryOf(context, { installationId, owner, repo });
  const pulls = await repository.pullsWith(sha.toLowerCase());
  // A fork's commits are among the repository's too: whoever wrote them has no say here yet.
  return await readConfig(repository, { sha, pull: pulls.find(({ fromFork }) => fromFork) ?? null });
}
