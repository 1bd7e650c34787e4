import type { IncomingMessage } from "node:http";
import type { Bus } from "../../../shared/contracts/bus.ts";
import { ServiceError } from "../../../shared/errors.ts";
import type { Gateway } from "../gateway-context.ts";
import { addressOf, type Credential, credentialOf } from "./authenticate.ts";

/** A reader with a wrong key or session may have a link that needs none. */
const ACCESS_ERROR_TYPES: ReadonlySet<string> = new Set(["unauthorized", "rate_limited"]);

/** Returns the teams of a link's reader: none without a valid key or session, or with a key that
 * can only upload, and no deleted team. */
export async function teamsOfReader(gateway: Gateway, bus: Bus, req: IncomingMessage): Promise<string[]> {
  const credential = credentialIn(req);
  if (!credential) return [];
  try {
    const { teams, uploadProject, provisions } = await gateway.authenticator.identify(
      bus,
      credential,
      addressOf(req),
    );
    if (uploadProject !== undefined || provisions) return [];
    return teams.filter(({ deletesAt }) => deletesAt === null).map(({ id }) => id);
  } catch (error) {
    if (error instanceof ServiceError && ACCESS_ERROR_TYPES.has(error.type)) return [];
    throw error;
  }
}

function credentialIn(req: IncomingMessage): Credential | null {
  try {
    return credentialOf(req);
  } catch {
    return null;
  }
}
