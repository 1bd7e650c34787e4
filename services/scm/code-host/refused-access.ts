import type { ConnectedHost } from "../../../shared/contracts/code-host/connections.ts";
import { invalidField } from "../../../shared/errors.ts";
import { CONNECTION_ERRORS, HOST_NAMES } from "../texts/connections.ts";
import { HostError, isMissing } from "./host-error.ts";

/** Returns whether a token lacks the right to a request. */
export function isForbidden(error: unknown): boolean {
  return error instanceof HostError && error.status === 403;
}

/** Returns a handler of errors that says that a repository was not found. */
export function asNoRepository(host: ConnectedHost): (error: unknown) => never {
  return error => {
    if (isMissing(error)) throw invalidField("repository", CONNECTION_ERRORS.noRepository(HOST_NAMES[host]));
    throw error;
  };
}
