import { createHmac, timingSafeEqual } from "node:crypto";

/** Whether `sha256=<hex>` is the HMAC of these very bytes; takes as long for a wrong one as for the right one. */
export function isSignedBy(secret: string, body: Buffer, signature: string | undefined): boolean {
  const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(signature ?? "") ?? [];
  if (hex === undefined) return false;
  return timingSafeEqual(createHmac("sha256", secret).update(body).digest(), Buffer.from(hex, "hex"));
}

/** Whether a header `Bearer <secret>` has this secret; says nothing about it by how long it takes. */
export function isBearer(secret: string, authorization: string | undefined): boolean {
  const [, given = ""] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
  const digest = (text: string) => createHmac("sha256", secret).update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
