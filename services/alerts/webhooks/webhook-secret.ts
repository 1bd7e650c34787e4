import { createHmac, randomBytes } from "node:crypto";

/** As the Standard Webhooks specification names its symmetric secrets. */
const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** The secrets of a webhook that sign now. The previous one signs during the overlap of a rotation. */
export interface SigningSecrets {
  secret: string;
  previous: { secret: string; until: string } | null;
}

/** Returns a new secret, such as `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw…`. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** Replaces a secret. The current one signs for some more hours. */
export function rotated({ secret }: SigningSecrets, overlapHours: number, now: Date): SigningSecrets {
  const until = new Date(now.getTime() + overlapHours * 3_600_000).toISOString();
  return { secret: newSecret(), previous: overlapHours === 0 ? null : { secret, until } };
}

/**
 * Returns the headers of the Standard Webhooks specification: the event's id, the time of the attempt, and a
 * signature of both and the body by each valid secret.
 */
export function signatureHeaders(
  { secret, previous }: SigningSecrets,
  { id, body, now }: { id: string; body: string; now: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const valid = previous && new Date(previous.until) > now ? [secret, previous.secret] : [secret];
  const sign = (key: string) =>
    createHmac("sha256", Buffer.from(key.slice(PREFIX.length), "base64"))
      .update(`${id}.${timestamp}.${body}`)
      .digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": valid.map(key => `v1,${sign(key)}`).join(" "),
  };
}
