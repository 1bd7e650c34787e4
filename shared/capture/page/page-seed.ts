/** Returns the same seed for a page wherever it is deployed. */
export function seedOf(url: string): number {
  const { pathname = "", search = "" } = URL.parse(url) ?? {};
  let seed = 0;
  for (const character of pathname + search)
    seed = (Math.imul(seed, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return seed;
}
