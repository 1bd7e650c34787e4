/** Prime of the field of Curve25519 (RFC 7748). */
const P = 2n ** 255n - 19n;
/** The curve's d is -D1 / D2 (RFC 8032). */
const D1 = 121_665n;
const D2 = 121_666n;

/**
 * Returns whether this Ed25519 key needs no private key: its point has a small order, so a forged signature fits many
 * messages. RFC 8032 lets a library accept it.
 * @param publicKey 64 hex digits
 */
export function isWeakKey(publicKey: string): boolean {
  const bytes = Buffer.from(publicKey, "hex").reverse();
  // The highest bit is the sign of x.
  const y = (BigInt(`0x${bytes.toString("hex")}`) & (2n ** 255n - 1n)) % P;
  // Orders 4, 1, and 2.
  if (y === 0n || y === 1n || y === P - 1n) return true;
  // Order 8: doubling it gives y = 0, so d·y⁴ + 2y² - 1 = 0.
  const y2 = (y * y) % P;
  return (D1 * y2 * y2 - 2n * D2 * y2 + D2) % P === 0n;
}
