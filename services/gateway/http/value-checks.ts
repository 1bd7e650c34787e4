/** The largest valid object, with routes, has at most 500 fields. Validating many unknown names takes long. */
export const MAX_FIELDS = 1_000;

/** Returns the path of the first object with too many fields. Null if there is none. */
export function wideObjectAt(value: unknown): PropertyKey[] | null {
  const path: PropertyKey[] = [];
  return isWide(value, path) ? path : null;
}

/** Deeper than every schema. Deeper values are refused anyway. */
const MAX_DEPTH = 16;

function isWide(value: unknown, path: PropertyKey[]): boolean {
  if (typeof value !== "object" || value === null || path.length > MAX_DEPTH) return false;
  const isList = Array.isArray(value);
  if (!isList && Object.keys(value).length > MAX_FIELDS) return true;
  for (const [key, inner] of isList ? value.entries() : Object.entries(value)) {
    if (typeof inner !== "object") continue;
    path.push(key);
    if (isWide(inner, path)) return true;
    path.pop();
  }
  return false;
}

/**
 * Returns the path of a text that the database can't store: one with a NUL or half of a surrogate pair, which JSON
 * and URLs can contain. Null if there is none. Values must have passed a schema, which bounds them.
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
