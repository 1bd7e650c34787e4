/** What Storybook reads from a URL: letters, digits, spaces, hyphens, and underscores. */
const SAFE = /^[a-zA-Z0-9 _-]*$/;

/**
 * Returns globals as the value of `globals` in the URL of a preview, such as `theme:dark;viewport.value:phone`. Empty
 * without globals. Returns null for the name of a global with a value that no URL can hold.
 */
export function globalsQuery(globals: Record<string, unknown>): { query: string } | { unsafe: string } {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(globals)) {
    const written = write(name, value);
    if (written === null) return { unsafe: name };
    parts.push(...written);
  }
  return { query: parts.join(";") };
}

function write(path: string, value: unknown): string[] | null {
  if (!path.split(".").every(part => SAFE.test(part.replace(/\[\]$/, "")))) return null;
  if (value === undefined) return [];
  if (value === null || typeof value === "boolean") return [`${path}:!${value}`];
  if (typeof value === "number") return Number.isFinite(value) ? [`${path}:${value}`] : null;
  if (typeof value === "string") return SAFE.test(value) ? [`${path}:${value}`] : color(path, value);
  if (typeof value !== "object") return null;
  const nested = Array.isArray(value)
    ? value.map(each => write(`${path}[]`, each))
    : Object.entries(value).map(([name, each]) => write(`${path}.${name}`, each));
  return nested.some(each => each === null) ? null : nested.flatMap(each => each ?? []);
}

/** Storybook has its own form for colors, as backgrounds have them. */
function color(path: string, value: string): string[] | null {
  const hex = /^#([a-f0-9]{3,8})$/i.exec(value)?.[1];
  return hex === undefined ? null : [`${path}:!hex(${hex})`];
}
