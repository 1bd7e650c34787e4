import { ApiClient } from "../../shared/api/api-client.ts";
import { ApiError } from "../../shared/api/api-exchanges.ts";
import { type Access, readAccess } from "../cloud/access.ts";
import { toCommandError } from "../cloud/service-errors.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { DOCTOR_TEXTS as TEXTS } from "../texts/doctor.ts";
import { type Finding, failure, messageOf, ok, warning } from "./finding.ts";

const NAME = TEXTS.names.service;

/** Checks whether the service responds and accepts the key. Checks with baselines in the repository need no service. */
export async function checkService(terminal: Terminal): Promise<Finding> {
  const access = await readAccess(terminal).catch((error: unknown) => {
    if (error instanceof CommandError) return error;
    throw error;
  });
  if (access instanceof CommandError) {
    const isSet = terminal.env.SERVICE_API_KEY || terminal.env.SERVICE_API_URL;
    if (isSet) return failure(NAME, access.message, null);
    return ok(NAME, TEXTS.noService);
  }
  return await probeService(access, terminal.signal);
}

async function probeService({ url, apiKey }: Access, signal: AbortSignal): Promise<Finding> {
  const client = new ApiClient({ baseUrl: url, apiKey, signal, attempts: 1 });
  try {
    const { data } = await client.listTeams();
    return ok(NAME, TEXTS.service(url, data[0]?.name ?? null));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError && error.status === 401)
      return failure(NAME, TEXTS.rejectedKey(url), TEXTS.fixKey);
    return warning(NAME, messageOf(toCommandError(url, error)), TEXTS.fixService);
  }
}
