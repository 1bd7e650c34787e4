import { withTimeout } from "../../../shared/async.ts";
import type { RunConfig } from "../../../shared/contracts/code-host/scm-actions.ts";
import { ServiceError } from "../../../shared/errors.ts";
import type { PullHead, RepositoryHost, RepositoryName } from "../code-host/code-host.ts";
import { HostError, isRefused } from "../code-host/host-error.ts";
import type { ScmContext } from "../scm-context.ts";
import { CONNECTION_ERRORS } from "../texts/connections.ts";
import { CONFIGURATION_ERRORS } from "../texts/events.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { readConfig } from "./read-config.ts";

/** The deployment platform's integration waits eight seconds for the response to a submission. */
const READ_TIMEOUT_MS = 5_000;
/** An abbreviated SHA does not identify its author. */
const FULL_SHA = /^([0-9a-f]{40}|[0-9a-f]{64})$/i;

type Commit = RepositoryName & { sha: string };

/**
 * Returns the repository's configuration at the commit of an external run. Returns null if the app is not installed
 * there or has no access.
 * @throws ServiceError unavailable if the code host does not respond
 */
export function configurationAt(
  context: Pick<ScmContext, "host" | "warn">,
  commit: Commit,
): Promise<RunConfig | null> {
  // A repository lists a fork's commits as its own. A fork's author must not choose the configuration.
  return readAt(context, commit, (repository, fork) =>
    readConfig(repository, { sha: commit.sha, pull: fork }),
  );
}

/**
 * Returns whether a commit belongs to a pull request from a fork. Returns null if the app is not installed there or has
 * no access.
 * @throws ServiceError unavailable if the code host does not respond
 */
export function isFromFork(
  context: Pick<ScmContext, "host" | "warn">,
  commit: Commit,
): Promise<boolean | null> {
  return readAt(context, commit, async (_repository, fork) => fork !== null);
}

/** Reads from a repository at a commit. `fork` is the pull request of a fork that has the commit. */
type Read<T> = (repository: RepositoryHost, fork: PullHead | null) => Promise<T>;

async function readAt<T>(
  context: Pick<ScmContext, "host" | "warn">,
  commit: Commit,
  read: Read<T>,
): Promise<T | null> {
  const unavailable = () => new ServiceError("unavailable", CONFIGURATION_ERRORS.unavailable);
  try {
    return await withTimeout(readInTime(context, commit, read), READ_TIMEOUT_MS, unavailable);
  } catch (error) {
    if (error instanceof HostError && error.passing) throw unavailable();
    // Without its configuration, a run would compare other pages. The team can fix the token.
    if (error instanceof HostError && error.status === 401)
      throw new ServiceError("unavailable", CONNECTION_ERRORS.tokenRejectedThere);
    if (!isRefused(error)) throw error;
    context.warn(error, LOG_MESSAGES.noAccess(commit.owner, commit.repo));
    return null;
  }
}

async function readInTime<T>(
  { host }: Pick<ScmContext, "host">,
  { owner, repo, sha }: Commit,
  read: Read<T>,
): Promise<T | null> {
  if (!FULL_SHA.test(sha)) return null;
  const installationId = await host.installationOf({ owner, repo });
  if (installationId === null) return null;
  const repository = await host.repository({ installationId, owner, repo });
  const pulls = await repository.pullsWith(sha.toLowerCase());
  return await read(repository, pulls.find(({ fromFork }) => fromFork) ?? null);
}
