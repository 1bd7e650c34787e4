/** A body's largest object, that of its routes, has 500 fields at most. Checking many names each by itself takes long. */
export const MAX_FIELDS = 1_000;

/** The path of an object with more fields than any body needs; null where there is none. Ends at the first. */
export function wideObjectAt(value: unknown): PropertyKey[] | null {
  const path: PropertyKey[] = [];
  return isWide(value, path) ? path : null;
}

/** Deeper than every schema: what is below is refused without a look at it. */
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
