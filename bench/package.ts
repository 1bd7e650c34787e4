/** How large the npm package of the command-line tool is, and how long it takes to have it: `node bench/package.ts`. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildPackage, pack } from "../cli/package/build-package.ts";

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), "vrs-bench-package-"));

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function bytesOf(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter(entry => entry.isFile())
    .map(async entry => (await stat(join(entry.parentPath, entry.name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

const mb = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)} MB`;
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const say = (what: string, value: string) => console.log(`${what.padEnd(44)}${value.padStart(10)}`);

try {
  const built = join(folder, "built");
  say("build", seconds(await timed(() => buildPackage(built))));
  const file = await pack(built, folder);
  say("package, packed", mb((await stat(file)).size));
  say("package, unpacked", mb(await bytesOf(built)));
  const project = join(folder, "project");
  await run("mkdir", [project]);
  await writeFile(join(project, "package.json"), JSON.stringify({ private: true }));
  const args = ["install", "--no-audit", "--no-fund", file];
  const cache = ["--cache", join(folder, "cache")];
  say(
    "npm install, nothing in npm's cache",
    seconds(await timed(() => run("npm", [...args, ...cache], { cwd: project }))),
  );
  say("with all that it needs", mb(await bytesOf(join(project, "node_modules"))));
  await rm(join(project, "node_modules"), { recursive: true });
  say(
    "npm install, all in npm's cache",
    seconds(await timed(() => run("npm", [...args, ...cache], { cwd: project }))),
  );
  const tool = join(project, "node_modules", ".bin", "vrs");
  await run(tool, ["--help"]);
  const starts = [];
  for (let n = 0; n < 10; n += 1) starts.push(await timed(() => run(tool, ["--help"])));
  const bare = [];
  for (let n = 0; n < 10; n += 1) bare.push(await timed(() => run(process.execPath, ["-e", "0"])));
  say("vrs --help, the quickest of ten", `${Math.min(...starts).toFixed(0)} ms`);
  say("node -e 0, the quickest of ten", `${Math.min(...bare).toFixed(0)} ms`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
