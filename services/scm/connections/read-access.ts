import type { ConnectedHost } from "../../../shared/contracts/code-host/connections.ts";
import { invalidField, ServiceError } from "../../../shared/errors.ts";
import { HostError } from "../code-host/host-error.ts";
import type { HostAccess } from "../code-host/token-api.ts";
import type { ReadAccess } from "../code-host/token-host.ts";
import { CONNECTION_ERRORS, HOST_NAMES } from "../texts/connections.ts";
import type { TokenHosts } from "./token-hosts.ts";

const MAX_NAME_CHARS = 100;

/**
 * Reads a token and its repository, and refuses what would fail later.
 * @param repository its path, or the id of a connected one
 * @throws ServiceError invalid_request with what to fix; unavailable if the code host does not respond
 */
export async function readAccess(
  hosts: TokenHosts,
  host: ConnectedHost,
  access: HostAccess,
  repository: string,
): Promise<ReadAccess> {
  try {
    const read = await hosts[host].readAccess(access, repository);
    const { owner, repo } = read;
    if (owner === "" || owner.length > MAX_NAME_CHARS || repo.length > MAX_NAME_CHARS)
      throw invalidField("repository", CONNECTION_ERRORS.longNames);
    return read;
  } catch (error) {
    throw asInvalid(error, HOST_NAMES[host], hosts[host].hasInstances);
  }
}

function asInvalid(error: unknown, host: string, hasInstances: boolean): unknown {
  if (!(error instanceof HostError)) return error;
  if (error.status === 401) return invalidField("token", CONNECTION_ERRORS.rejected(host));
  if (error.passing) return new ServiceError("unavailable", CONNECTION_ERRORS.noAnswer(error.message));
  // Without instances, no address can be wrong.
  if (!hasInstances) return invalidField("repository", CONNECTION_ERRORS.unreadable(error.message));
  return invalidField("url", CONNECTION_ERRORS.other(host, error.message));
}
