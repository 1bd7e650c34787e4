import { createHmac, timingSafeEqual } from "node:crypto";

const HEX_SHA1 = /^[0-9a-f]{40}$/i;

/** Whether this is the HMAC-SHA1, in hex, of just these bytes. Takes as long for every signature of the right form. */
export function isSigned(bytes: Buffer, signature: string | undefined, secret: string): boolean {
  if (signature === undefined || !HEX_SHA1.test(signature)) return false;
  const expected = createHmac("sha1", secret).update(bytes).digest();
  return timingSafeEqual(expected, Buffer.from(signature, "hex"));
}
