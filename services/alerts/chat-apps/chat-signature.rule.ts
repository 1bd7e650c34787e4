import { createHmac, createPublicKey, timingSafeEqual, verify } from "node:crypto";

/** As Slack recommends. Later requests may be replayed. */
const WINDOW_SECONDS = 300;
/** What precedes the 32 bytes of an Ed25519 key in DER (RFC 8410). */
const ED25519_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

/** A signed request of a chat tool. */
export interface SignedRequest {
  /** Seconds since 1970, as sent. */
  timestamp: string;
  signature: string;
  body: Buffer;
}

/** Whether Slack signed a request in the last minutes (https://api.slack.com/authentication/verifying-requests-from-slack). */
export function isSignedBySlack(
  secret: string,
  { timestamp, signature, body }: SignedRequest,
  nowMs: number,
): boolean {
  if (!isRecent(timestamp, nowMs)) return false;
  const expected = Buffer.from(
    `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:`).update(body).digest("hex")}`,
  );
  const given = Buffer.from(signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** Whether Discord signed a request in the last minutes. @param publicKey hex */
export function isSignedByDiscord(
  publicKey: string,
  { timestamp, signature, body }: SignedRequest,
  nowMs: number,
): boolean {
  if (!isRecent(timestamp, nowMs) || !/^[0-9a-f]{128}$/i.test(signature)) return false;
  const key = createPublicKey({
    key: Buffer.concat([ED25519_PREFIX, Buffer.from(publicKey, "hex")]),
    format: "der",
    type: "spki",
  });
  return verify(null, Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, "hex"));
}

function isRecent(timestamp: string, nowMs: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(nowMs / 1_000 - Number(timestamp)) <= WINDOW_SECONDS;
}
