import { createHmac, timingSafeEqual } from "node:crypto";

/** Returns whether `sha256=<hex>` is the HMAC of these bytes, in constant time. */
export function isSignedBy(secret: string, body: Buffer, signature: string | undefined): boolean {
  const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(signature ?? "") ?? [];
  if (hex === undefined) return false;
  return timingSafeEqual(createHmac("sha256", secret).update(body).digest(), Buffer.from(hex, "hex"));
}

/** Returns whether a header `Bearer <secret>` has this secret, in constant time. */
export function isBearer(secret: string, authorization: string | undefined): boolean {
  const [, given = ""] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
  return isSameSecret(secret, given);
}

/** Returns whether a sender knows the secret, in constant time. */
export function isSameSecret(secret: string, given = ""): boolean {
  const digest = (text: string) => createHmac("sha256", secret).update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
