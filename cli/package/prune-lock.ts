import { PACKAGE_ERRORS } from "../texts/package.ts";

/** Reduces an npm lock file to a few packages and their dependencies. Needs no package itself. */

interface LockedPackage {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

export interface Lock {
  name: string;
  version: string;
  packages: Record<string, LockedPackage>;
}

/** A manifest and its lock, consistent for npm. */
export interface PrunedLock {
  manifest: {
    name: string;
    version: string;
    private: true;
    type: "module";
    dependencies: Record<string, string>;
  };
  lock: {
    name: string;
    version: string;
    lockfileVersion: 3;
    requires: true;
    packages: Record<string, LockedPackage>;
  };
}

/**
 * Keeps the named packages and all their dependencies, with the versions and checksums of the lock.
 * @throws Error if the lock lacks a named package
 */
export function pruneLock({ name, version, packages }: Lock, names: readonly string[]): PrunedLock {
  const wanted = packages[""]?.dependencies ?? {};
  const dependencies = Object.fromEntries(
    names.map(each => {
      const range = wanted[each];
      if (range === undefined) throw new Error(PACKAGE_ERRORS.notInLock(each));
      return [each, range];
    }),
  );
  const reached = new Set<string>();
  const keep = (parent: string, each: string): void => {
    const path = pathTo(packages, parent, each);
    if (path === null || reached.has(path)) return;
    reached.add(path);
    const { dependencies: own, optionalDependencies, peerDependencies } = packages[path] ?? {};
    for (const next of Object.keys({ ...own, ...optionalDependencies, ...peerDependencies }))
      keep(path, next);
  };
  for (const each of names) keep("", each);
  const manifest = { name, version, private: true, type: "module", dependencies } as const;
  const entries = Object.entries(packages).filter(([path]) => reached.has(path));
  return {
    manifest,
    lock: {
      name,
      version,
      lockfileVersion: 3,
      requires: true,
      packages: { "": { dependencies }, ...Object.fromEntries(entries) },
    },
  };
}

/**
 * Returns where Node finds a package from inside another: in the nearest outer folder. Null for a missing
 * peer.
 */
function pathTo(packages: Lock["packages"], parent: string, name: string): string | null {
  const path = `${parent === "" ? "" : `${parent}/`}node_modules/${name}`;
  if (path in packages) return path;
  if (parent === "") return null;
  return pathTo(packages, parent.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, ""), name);
}
