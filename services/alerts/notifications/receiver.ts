import { createHash } from "node:crypto";
import { z } from "zod";

/** One place that messages go to: an address, a URL, a routing key. */
export const receiver = z.object({
  address: z.string(),
  /** Of a receiver whose messages are signed. */
  secret: z.string().nullable(),
});

export type Receiver = z.infer<typeof receiver>;

/** Stands for a receiver where it must not be named. */
export function digestOf({ address }: Receiver): string {
  return createHash("sha256").update(address).digest("hex").slice(0, 16);
}

const TAIL_CHARS = 4;

/** A URL as people may know it: its host, and how it ends. */
export function urlTail(address: string): string {
  return `${URL.parse(address)?.host ?? ""}/${tail(address)}`;
}

/** How a secret ends; nothing of one that would be given away by it. */
export function tail(secret: string): string {
  return secret.length >= 4 * TAIL_CHARS ? `…${secret.slice(-TAIL_CHARS)}` : "…";
}
