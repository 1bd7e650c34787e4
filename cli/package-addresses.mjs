/**
 * Tells npm where the archives of the locked packages are. The lock names no registry, so that it works with each.
 * Without addresses, npm first requests a list of all versions of each package, which takes a third of the installation.
 */
import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** npm reads it instead of package-lock.json. */
const COMPLETE_LOCK = "npm-shrinkwrap.json";

/**
 * Returns the lock's packages with the addresses that registries use for archives. Packages of another origin stay as
 * they are.
 *
 * @param settings npm's settings: `registry`, and `@scope:registry` for scopes that have their own
 */
function addAddresses(packages, settings) {
  return Object.fromEntries(
    Object.entries(packages).map(([path, entry]) => {
      if (!entry.integrity || entry.resolved || entry.inBundle || entry.link) return [path, entry];
      const name = entry.name ?? path.split("node_modules/").at(-1);
      const [base, scope] = name.split("/").reverse();
      const registry = settings[`${scope}:registry`] ?? settings.registry;
      const resolved = `${registry.replace(/\/*$/, "/")}${name}/-/${base}-${entry.version}.tgz`;
      return [path, { ...entry, resolved }];
    }),
  );
}

/**
 * Runs `work` while a lock with addresses is in place, and removes that lock. Where the lock can't be written, it runs
 * without: npm can't write there either, and its error is explained.
 */
export async function withAddresses(root, lock, settings, work) {
  const packages = addAddresses(lock.packages, settings);
  const draft = join(root, `.${COMPLETE_LOCK}.${randomUUID()}`);
  try {
    // Another setup can start at any moment, so the file is complete or missing.
    await writeFile(draft, JSON.stringify({ ...lock, packages }));
    await rename(draft, join(root, COMPLETE_LOCK));
  } catch {
    await rm(draft, { force: true }).catch(() => {});
  }
  try {
    return await work();
  } finally {
    await removeAddresses(root);
  }
}

/** Removes the lock with addresses, also one that a stopped setup left. */
export async function removeAddresses(root) {
  await rm(join(root, COMPLETE_LOCK), { force: true }).catch(() => {});
}
