/** A project, by its id and name in the team. */
interface NamedProject {
  id: string;
  name: string;
}

const SUFFIX = "-imported";
const MAX_NAME_CHARS = 200;

/**
 * Returns the names that imported projects get: null for skipped ones, or those that stand in the way.
 * A project that the same import created before keeps its name, so an import can be repeated.
 * @param imported with the ids that they get
 */
export function planNames(
  imported: readonly NamedProject[],
  existing: readonly NamedProject[],
  choice: "refuse" | "rename" | "skip",
): { names: Record<string, string | null> } | { taken: string[] } {
  const nameOf = new Map(existing.map(({ id, name }) => [id, name]));
  const used = new Set([...existing, ...imported].map(({ name }) => name));
  const others = new Set(existing.map(({ name }) => name));
  const names: [string, string | null][] = [];
  const taken: string[] = [];
  for (const { id, name } of imported) {
    const before = nameOf.get(id);
    if (before !== undefined) names.push([name, before]);
    else if (!others.has(name)) names.push([name, name]);
    else if (choice === "refuse") taken.push(name);
    else names.push([name, choice === "skip" ? null : freeName(name, used)]);
  }
  return taken.length > 0 ? { taken } : { names: Object.fromEntries(names) };
}

function freeName(name: string, used: Set<string>): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? SUFFIX : `${SUFFIX}-${number}`;
    const free = `${name.slice(0, MAX_NAME_CHARS - suffix.length)}${suffix}`;
    if (used.has(free)) continue;
    used.add(free);
    return free;
  }
}
