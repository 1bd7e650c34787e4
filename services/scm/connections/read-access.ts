import type { ConnectedHost } from "../../../shared/contracts/code-host/connections.ts";
import { invalidField, ServiceError } from "../../../shared/errors.ts";
import type { RepositoryName } from "../code-host/code-host.ts";
import type { Gitea } from "../code-host/gitea/gitea-host.ts";
import type { GitLab } from "../code-host/gitlab/gitlab-host.ts";
import { HostError, isMissing } from "../code-host/host-error.ts";
import type { HostAccess } from "../code-host/token-api.ts";
import { CONNECTION_ERRORS, HOST_NAMES } from "../texts/connections.ts";
import type { TokenHosts } from "./token-hosts.ts";

/** GitLab's number of the role Developer, which may set statuses and push branches. */
const DEVELOPER = 30;
const MAX_NAME_CHARS = 100;

/** What a token may do, and the repository that it may do it in. */
export interface ReadAccess extends RepositoryName {
  hostId: string;
  tokenExpiresAt: string | null;
}

/**
 * Reads a token and its repository, and refuses what would fail later.
 * @param repository its path or number
 * @throws ServiceError invalid_request with what to fix; unavailable if the code host does not respond
 */
export async function readAccess(
  hosts: TokenHosts,
  host: ConnectedHost,
  access: HostAccess,
  repository: string,
): Promise<ReadAccess> {
  try {
    const read =
      host === "gitlab"
        ? await readGitLab(hosts.gitlab, access, repository)
        : await readGitea(hosts.gitea, access, repository);
    const { owner, repo } = read;
    if (owner === "" || owner.length > MAX_NAME_CHARS || repo.length > MAX_NAME_CHARS)
      throw invalidField("repository", CONNECTION_ERRORS.longNames);
    return read;
  } catch (error) {
    throw asInvalid(error, HOST_NAMES[host]);
  }
}

async function readGitLab(gitlab: GitLab, access: HostAccess, repository: string): Promise<ReadAccess> {
  const { scopes, expiresAt } = await gitlab.readToken(access).catch(error => {
    if (isForbidden(error))
      throw invalidField("token", CONNECTION_ERRORS.noScope(CONNECTION_ERRORS.otherScopes));
    throw error;
  });
  if (!scopes.includes("api"))
    throw invalidField("token", CONNECTION_ERRORS.noScope(scopes.join(", ") || "none"));
  const { accessLevel, ...read } = await gitlab
    .readProject(access, repository)
    .catch(asNoRepository("gitlab"));
  if (accessLevel !== null && accessLevel < DEVELOPER) throw invalidField("token", CONNECTION_ERRORS.noRole);
  return { ...read, tokenExpiresAt: expiresAt };
}

/** Gitea's tokens do not expire, and do not show their scopes. */
async function readGitea(gitea: Gitea, access: HostAccess, repository: string): Promise<ReadAccess> {
  await gitea.readUser(access).catch(error => {
    if (isForbidden(error)) throw invalidField("token", CONNECTION_ERRORS.noReadScope);
    throw error;
  });
  const { canWrite, ...read } = await gitea.readRepository(access, repository).catch(error => {
    if (isForbidden(error)) throw invalidField("token", CONNECTION_ERRORS.noReadScope);
    return asNoRepository("gitea")(error);
  });
  if (!canWrite) throw invalidField("token", CONNECTION_ERRORS.noWrite);
  return { ...read, tokenExpiresAt: null };
}

function isForbidden(error: unknown): boolean {
  return error instanceof HostError && error.status === 403;
}

function asNoRepository(host: ConnectedHost): (error: unknown) => never {
  return error => {
    if (isMissing(error)) throw invalidField("repository", CONNECTION_ERRORS.noRepository(HOST_NAMES[host]));
    throw error;
  };
}

function asInvalid(error: unknown, host: string): unknown {
  if (!(error instanceof HostError)) return error;
  if (error.status === 401) return invalidField("token", CONNECTION_ERRORS.rejected(host));
  if (error.passing) return new ServiceError("unavailable", CONNECTION_ERRORS.noAnswer(error.message));
  return invalidField("url", CONNECTION_ERRORS.other(host, error.message));
}
