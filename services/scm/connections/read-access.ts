import { invalidField, ServiceError } from "../../../shared/errors.ts";
import type { RepositoryName } from "../code-host/code-host.ts";
import type { GitLabAccess } from "../code-host/gitlab/gitlab-api.ts";
import type { GitLab, SeenToken } from "../code-host/gitlab/gitlab-host.ts";
import { HostError, isMissing } from "../code-host/host-error.ts";
import { CONNECTION_ERRORS } from "../texts.ts";

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
  gitlab: GitLab,
  access: GitLabAccess,
  repository: string,
): Promise<ReadAccess> {
  const { scopes, expiresAt } = await readToken(gitlab, access);
  if (!scopes.includes("api"))
    throw invalidField("token", CONNECTION_ERRORS.noScope(scopes.join(", ") || "none"));
  const { hostId, owner, repo, accessLevel } = await gitlab.readProject(access, repository).catch(error => {
    if (isMissing(error)) throw invalidField("repository", CONNECTION_ERRORS.noRepository);
    throw asInvalid(error);
  });
  if (accessLevel !== null && accessLevel < DEVELOPER) throw invalidField("token", CONNECTION_ERRORS.noRole);
  if (owner === "" || owner.length > MAX_NAME_CHARS || repo.length > MAX_NAME_CHARS)
    throw invalidField("repository", CONNECTION_ERRORS.longNames);
  return { hostId, owner, repo, tokenExpiresAt: expiresAt };
}

async function readToken(gitlab: GitLab, access: GitLabAccess): Promise<SeenToken> {
  try {
    return await gitlab.readToken(access);
  } catch (error) {
    if (error instanceof HostError && error.status === 403)
      throw invalidField("token", CONNECTION_ERRORS.noScope(CONNECTION_ERRORS.otherScopes));
    throw asInvalid(error);
  }
}

function asInvalid(error: unknown): unknown {
  if (!(error instanceof HostError)) return error;
  if (error.status === 401) return invalidField("token", CONNECTION_ERRORS.rejected);
  if (error.passing) return new ServiceError("unavailable", CONNECTION_ERRORS.noAnswer(error.message));
  return invalidField("url", CONNECTION_ERRORS.other(error.message));
}
