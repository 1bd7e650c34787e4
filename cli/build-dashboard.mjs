// @ts-check
/**
 * Builds the dashboard into dashboard/dist: `node cli/build-dashboard.mjs`. Setup runs it when the sources
 * changed. It needs only installed packages.
 */
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const DASHBOARD = join(ROOT, "dashboard");
const DIST = join(DASHBOARD, "dist");
const STAMP = "sources.sha256";
/**
 * What the build reads. If the dashboard imports more of shared/, add it here, or the build isn't refreshed.
 */
export const SOURCES = [
  "dashboard",
  "shared/contracts",
  "shared/backoff.ts",
  "shared/api/event-reader.ts",
  "shared/ids.ts",
  "shared/monitor-project.ts",
  "shared/report",
  "shared/text",
  "shared/transfers/manifest-entry.ts",
  "shared/links/thumbnail-widths.ts",
  "tsconfig.json",
  "package-lock.json",
  "cli/build-dashboard.mjs",
];
/** Compression doesn't help smaller files. */
const COMPRESSED_FROM_BYTES = 1024;

/**
 * Returns whether dashboard/dist was built from the current sources. Also true without a dashboard to build.
 */
export function isBuilt() {
  if (!statSync(join(DASHBOARD, "index.html"), { throwIfNoEntry: false })) return true;
  try {
    return readFileSync(join(DIST, STAMP), "utf8") === hashOfSources();
  } catch {
    return false;
  }
}

/** @returns {string} */
function hashOfSources() {
  const hash = createHash("sha256");
  for (const file of SOURCES.flatMap(filesIn).sort()) {
    const content = readFileSync(join(ROOT, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** @param {string} path @returns {string[]} paths from the project's folder */
function filesIn(path) {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path];
  return readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter(
      ({ name }) =>
        !name.startsWith(".") && `${path}/${name}` !== "dashboard/dist" && !name.startsWith("dist-"),
    )
    .flatMap(({ name }) => filesIn(`${path}/${name}`));
}

async function build() {
  const stamp = hashOfSources();
  const { build } = await import("vite");
  // Built beside the final folder and then moved: another setup may build too, and a service may read the old
  // one.
  const outDir = mkdtempSync(join(DASHBOARD, "dist-"));
  // In a container image, another user reads it.
  chmodSync(outDir, 0o755);
  try {
    await build({
      configFile: false,
      root: DASHBOARD,
      base: "./",
      // Warnings concern third-party packages. What fails to build is an error.
      logLevel: "error",
      publicDir: false,
      build: {
        outDir,
        emptyOutDir: true,
        target: "es2023",
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        reportCompressedSize: false,
      },
    });
    compressAll(join(outDir, "assets"));
    writeFileSync(join(outDir, STAMP), stamp);
    rmSync(DIST, { recursive: true, force: true });
    renameSync(outDir, DIST);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

/** @param {string} folder */
function compressAll(folder) {
  for (const name of readdirSync(folder)) {
    const content = readFileSync(join(folder, name));
    if (content.length < COMPRESSED_FROM_BYTES) continue;
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url) && !isBuilt()) await build();
