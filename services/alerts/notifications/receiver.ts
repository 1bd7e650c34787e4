import { createHash } from "node:crypto";
import { z } from "zod";
import { INCIDENT_TOOLS } from "../../../shared/contracts/monitors/monitor-channels.ts";

/** A receiver: an email address, a URL or a routing key. */
export const receiver = z.object({
  address: z.string(),
  /** Secret that signs the messages. Null if they are not signed. */
  secret: z.string().nullable(),
  /** The incident service whose API it has. Missing for other channels. */
  tool: z.enum(INCIDENT_TOOLS).optional(),
  /** The person who chose to get it. Missing for receivers of a monitor. */
  userId: z.string().optional(),
  /** Id of the email addresses of a project that it is one of. Missing for other receivers. */
  projectEmailId: z.string().optional(),
});

export type Receiver = z.infer<typeof receiver>;

/** Returns a digest that identifies a receiver without naming it. */
export function digestOf({ address }: Receiver): string {
  return createHash("sha256").update(address).digest("hex").slice(0, 16);
}

const TAIL_CHARS = 4;

/** Returns the host and the end of a URL, without its secret part. */
export function urlTail(address: string): string {
  return `${URL.parse(address)?.host ?? ""}/${tail(address)}`;
}

/** Returns the end of a secret. Returns nothing of a secret so short that its end would reveal it. */
export function tail(secret: string): string {
  return secret.length >= 4 * TAIL_CHARS ? `…${secret.slice(-TAIL_CHARS)}` : "…";
}
