/** Makes an installation small that only runs the service: `npm run demo` needs no types, sources or headers. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Types and source maps, for editors and debuggers only. */
const FOR_EDITORS = /\.(?:d\.[mc]?ts|map)$/;
/** Packages of Node itself. */
const NODE = /^node-(?:linux|win)-/;

/**
 * Removes files of packages that only development needs. Headers of Node are for packages that compile, and the
 * browser's archive was unpacked into the cache.
 */
export async function trimPackages(root) {
  const modules = join(root, "node_modules");
  const entries = await readdir(modules, { recursive: true, withFileTypes: true });
  const unused = entries.filter(
    ({ name, parentPath }) => FOR_EDITORS.test(name) && !parentPath.startsWith(join(modules, ".cache")),
  );
  await Promise.all(unused.map(({ parentPath, name }) => rm(join(parentPath, name), { force: true })));
  const folders = readdirSync(modules)
    .filter(name => NODE.test(name))
    .flatMap(name => ["include", "share"].map(part => join(modules, name, part)));
  if (isUnpacked(modules)) folders.push(archiveOf(modules));
  await Promise.all(folders.map(folder => rm(folder, { recursive: true, force: true })));
}

/** Returns whether the packaged browser can start: from its archive, or from this folder's cache. */
export function hasBrowser(root) {
  const modules = join(root, "node_modules");
  if (!existsSync(join(modules, "@sparticuz", "chromium"))) return true;
  return existsSync(archiveOf(modules)) || isUnpacked(modules);
}

const archiveOf = modules => join(modules, "@sparticuz", "chromium", "bin");

/** A cache elsewhere may be shared or deleted, so only the folder's own counts. */
function isUnpacked(modules) {
  const file = join(modules, "@sparticuz", "chromium", "package.json");
  if (process.env.SERVICE_CACHE_DIR || !existsSync(file)) return false;
  const { version } = JSON.parse(readFileSync(file, "utf8"));
  return existsSync(join(modules, ".cache", "vrs", `chromium-${version}`));
}
