/**
 * `node cli/package/install-source.ts <folder>`: installs this checkout's command-line tool there, with only
 * the npm packages that it needs. The action uses it in a checkout without installed packages, so it needs no
 * package itself.
 */
import { spawnSync } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { PACKAGE_ERRORS } from "../texts/package.ts";
import { ASSETS, TOOL } from "./contents.ts";
import { type Lock, pruneLock } from "./prune-lock.ts";
import { sourceGraph } from "./source-graph.ts";

const ROOT = resolve(import.meta.dirname, "..", "..");

/** Writes the tool's files, its manifest and its lock file. */
export async function layOut(folder: string): Promise<void> {
  const { files, packages } = await sourceGraph([TOOL]);
  for (const path of [...files, ...ASSETS]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(join(ROOT, path), join(folder, path), { recursive: true });
  }
  const whole: Lock = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8"));
  const { manifest, lock } = pruneLock(whole, packages);
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(join(folder, "package-lock.json"), `${JSON.stringify(lock, null, 2)}\n`);
}

if (import.meta.main) {
  const [, , folder] = process.argv;
  if (folder === undefined) throw new Error(PACKAGE_ERRORS.noFolder);
  await layOut(folder);
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: folder,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  process.exitCode = status ?? 1;
}
