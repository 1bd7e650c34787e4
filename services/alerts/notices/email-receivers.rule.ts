import { createHash } from "node:crypto";

const PREFIX = "email:";

/** The stored addresses of a project. */
interface StoredEmail {
  id: string;
  addresses: readonly string[];
  /** Addresses that unsubscribed, in lower case. */
  optedOut: readonly string[];
}

/** An address of a project that gets emails. */
export interface ProjectReceiver {
  /** The receiver of its notices. It doesn't show the address. */
  receiver: string;
  address: string;
  /** Id of the project's addresses, for the link that unsubscribes. */
  projectEmailId: string;
}

/** Returns the addresses of a project that didn't unsubscribe. @param email null if the project has none */
export function receiversOf(teamId: string, email: StoredEmail | null): ProjectReceiver[] {
  if (!email) return [];
  const gone = new Set(email.optedOut);
  return email.addresses
    .filter(address => !gone.has(address.toLowerCase()))
    .map(address => ({ receiver: receiverOf(teamId, address), address, projectEmailId: email.id }));
}

/** Returns whether a notice is for an address of a project. */
export function isProjectReceiver(receiver: string): boolean {
  return receiver.startsWith(PREFIX);
}

/** The team is part of it, so that one team's many messages delay no other team's. */
function receiverOf(teamId: string, address: string): string {
  const digest = createHash("sha256").update(`${teamId} ${address.toLowerCase()}`).digest("hex");
  return `${PREFIX}${digest.slice(0, 32)}`;
}
