/**
 * Where a text is that no database column holds, as a path into the value: one with a NUL or with half of a surrogate
 * pair, which JSON and URLs can both spell. Null when every text is a good one. For values that a schema has bounded.
 */
export function unstorableAt(value: unknown): PropertyKey[] | null {
  if (typeof value === "string") return isStorable(value) ? null : [];
  if (typeof value !== "object" || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const below = isStorable(key) ? unstorableAt(inner) : [];
    if (below) return [Array.isArray(value) ? Number(key) : key, ...below];
  }
  return null;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}
