import { buildNameOf, projectOfBuild, projectOfBuildBase } from "../../../shared/contracts/builds/builds.ts";

/** A project, by its id and name in the team. */
interface NamedProject {
  id: string;
  name: string;
}

const SUFFIX = "-imported";
const MAX_NAME_CHARS = 200;

/**
 * Returns the names that imported projects get: null for skipped ones, or those that stand in the way.
 * A project and its named builds have the same settings, so they are imported, renamed or skipped together. A project
 * that the same import created before keeps its name, so an import can be repeated.
 * @param imported with the ids that they get
 */
export function planNames(
  imported: readonly NamedProject[],
  existing: readonly NamedProject[],
  choice: "refuse" | "rename" | "skip",
): { names: Record<string, string | null> } | { taken: string[] } {
  const nameOf = new Map(existing.map(({ id, name }) => [id, name]));
  const used = new Set([...existing, ...imported].map(baseOf));
  const names: [string, string | null][] = [];
  const taken: string[] = [];
  for (const [base, builds] of Map.groupBy(imported, baseOf)) {
    const [before] = builds.flatMap(({ id }) => nameOf.get(id) ?? []);
    const known = before === undefined ? null : projectOfBuildBase(before);
    const added = builds.filter(({ id }) => !nameOf.has(id)).map(({ name }) => withBase(name, known ?? base));
    const inTheWay = existing.filter(each =>
      known === null ? baseOf(each) === base : added.includes(each.name),
    );
    if (inTheWay.length > 0 && choice === "refuse") {
      taken.push(...inTheWay.map(({ name }) => name));
      continue;
    }
    const target = inTheWay.length === 0 ? (known ?? base) : choice === "skip" ? null : freeName(base, used);
    // Settings have the name of the base, which may have only named builds.
    if ((known ?? target) !== base) names.push([base, known ?? target]);
    for (const { id, name } of builds)
      names.push([name, nameOf.get(id) ?? (target === null ? null : withBase(name, target))]);
  }
  return taken.length > 0 ? { taken } : { names: Object.fromEntries(names) };
}

function baseOf({ name }: NamedProject): string {
  return projectOfBuildBase(name);
}

function withBase(name: string, base: string): string {
  return projectOfBuild(base, buildNameOf(name) ?? undefined);
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
