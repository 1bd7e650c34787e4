import { ApiClient, ApiError } from "../../shared/api-client.ts";
import { type Access, readAccess } from "../cloud/access.ts";
import { inWords } from "../cloud/api-faults.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { type Finding, fault, messageOf, ok, warning } from "./finding.ts";

const NAME = "Service";

/** Whether the service is there and takes the key. Nobody needs one, for checks with baselines in the repository. */
export async function checkService(terminal: Terminal): Promise<Finding> {
  const access = await readAccess(terminal).catch((error: unknown) => {
    if (error instanceof CommandError) return error;
    throw error;
  });
  if (access instanceof CommandError) {
    const isSet = terminal.env.SERVICE_API_KEY || terminal.env.SERVICE_API_URL;
    if (isSet) return fault(NAME, access.message, null);
    return ok(NAME, "none, which only `vrs run` needs");
  }
  return await ask(access, terminal.signal);
}

async function ask({ url, apiKey }: Access, signal: AbortSignal): Promise<Finding> {
  const client = new ApiClient({ baseUrl: url, apiKey, signal, attempts: 1 });
  try {
    const { data } = await client.listTeams();
    return ok(NAME, `${url} takes the key${data[0] ? `, team ${data[0].name}` : ""}`);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError && error.status === 401)
      return fault(NAME, `${url} does not take the key`, "Run `vrs login`, or set another SERVICE_API_KEY.");
    return warning(NAME, messageOf(inWords(url, error)), "`vrs run` needs it; `vrs check` does not.");
  }
}
