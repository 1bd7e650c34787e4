/**
 * Makes `Math.random` and `crypto.randomUUID` return the same values in every load. It is sent to the page as text: it
 * must use nothing from outside its body.
 */
export function seedRandom(seed: number): void {
  // Mulberry32: small, fast, and uniform enough for what a page draws.
  let state = seed;
  const draw = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  Math.random = draw;
  if (!("crypto" in window)) return;
  Crypto.prototype.randomUUID = () => {
    const hex = (digits: number) =>
      Array.from({ length: digits }, () => Math.floor(draw() * 16).toString(16)).join("");
    const variant = "89ab".charAt(Math.floor(draw() * 4));
    return `${hex(8)}-${hex(4)}-4${hex(3)}-${variant}${hex(3)}-${hex(12)}`;
  };
}
