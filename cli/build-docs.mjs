// @ts-check
/**
 * Builds the docs into docs/.vitepress/dist: `npm run docs:build`. Setup does so when their sources changed. Needs the
 * development packages, and nothing from the network.
 */
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const SITE = join(ROOT, "docs", ".vitepress");
const DIST = join(SITE, "dist");
const STAMP = "sources.sha256";
/** Folders of docs/ that hold no pages. */
const OTHERS = new Set(["build", "dist", "cache"]);

/**
 * Returns whether the site was built from the current docs. Also true if the site generator isn't installed.
 */
export function isBuilt() {
  if (!existsSync(join(ROOT, "node_modules", "vitepress"))) return true;
  try {
    return readFileSync(join(DIST, STAMP), "utf8") === hashOfSources();
  } catch {
    return false;
  }
}

/** @returns {string} */
function hashOfSources() {
  const hash = createHash("sha256");
  for (const file of [...filesIn("docs"), "cli/build-docs.mjs"].sort()) {
    const content = readFileSync(join(ROOT, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** @param {string} folder @returns {string[]} paths from the project's folder */
function filesIn(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !OTHERS.has(name) && !name.startsWith("dist-"))
    .flatMap(entry =>
      entry.isDirectory() ? filesIn(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
    );
}

async function build() {
  const stamp = hashOfSources();
  const { build } = await import("vitepress");
  // Built beside its folder and then moved: a service may read the old site, and another setup may build too.
  const outDir = mkdtempSync(join(SITE, "dist-"));
  try {
    await build(join(ROOT, "docs"), { outDir });
    writeFileSync(join(outDir, STAMP), stamp);
    rmSync(DIST, { recursive: true, force: true });
    renameSync(outDir, DIST);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url) && (process.argv.includes("--force") || !isBuilt()))
  await build();
