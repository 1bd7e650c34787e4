import type { IncomingMessage } from "node:http";
import type { Bus } from "../../shared/contracts/bus.ts";
import { ServiceError } from "../../shared/errors.ts";
import { type Credential, credentialOf } from "./authenticate.ts";
import type { Gateway } from "./gateway.ts";

/** The teams of whoever opens a link: none for a reader without a valid key or session. A deleted team is no one's. */
export async function teamsOfReader(gateway: Gateway, bus: Bus, req: IncomingMessage): Promise<string[]> {
  const credential = credentialIn(req);
  if (!credential) return [];
  try {
    const { teams } = await gateway.authenticator.identify(bus, credential);
    return teams.filter(({ deletesAt }) => deletesAt === null).map(({ id }) => id);
  } catch (error) {
    if (error instanceof ServiceError && error.type === "unauthorized") return [];
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
