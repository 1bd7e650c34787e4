/**
 * `node test/deploy/install.ts`: measures what a machine with only git and Node needs for a first success. It clones
 * this repository, runs the demo, builds the package of the command-line tool, and checks a page in an empty project.
 * Ends with exit code 1 if a limit is exceeded. Imports no package, because none is installed on such a machine.
 *
 *   --no-time   doesn't limit times, for a busy machine
 */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { run } from "./commands.ts";

const ROOT = join(import.meta.dirname, "../..");
const LIMITS = {
  demo: { seconds: 60, megabytes: 700 },
  check: { seconds: 20, megabytes: 150 },
};

interface Figures {
  seconds: number;
  megabytes: number;
}

const { values } = parseArgs({ options: { "no-time": { type: "boolean", default: false } } });

/** Runs npm, which is a script on Windows. The PATH has no programs of this checkout. */
async function npm(args: string[], cwd: string): Promise<string> {
  const folder = join(ROOT, "node_modules", ".bin");
  const separator = process.platform === "win32" ? ";" : ":";
  const path = (process.env.PATH ?? "").split(separator).filter(entry => entry !== folder);
  const env = { PATH: path.join(separator), npm_config_update_notifier: "false" };
  if (process.platform !== "win32") return await run("npm", args, { cwd, env });
  return await run("cmd", ["/d", "/s", "/c", "npm", ...args], { cwd, env });
}

/** Returns the disk space of a folder. Counts each file once, even if it has several names. */
async function megabytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile());
  const seen = new Set<string>();
  let bytes = 0;
  for (const { parentPath, name } of files) {
    const { ino, dev, nlink, size } = await stat(join(parentPath, name), { bigint: true });
    const id = `${dev} ${ino}`;
    if (nlink > 1n && seen.has(id)) continue;
    seen.add(id);
    bytes += Number(size);
  }
  return Math.round(bytes / 1e6);
}

/** Measures the time of work, and the space that a folder then takes. */
async function measure(folder: string, work: () => Promise<unknown>): Promise<Figures> {
  const startedAt = performance.now();
  await work();
  return { seconds: Math.round((performance.now() - startedAt) / 1000), megabytes: await megabytes(folder) };
}

/** Checks a page of a local site with the packed package, in a project that has nothing else. */
async function checkProject(folder: string, archive: string): Promise<Figures> {
  const site = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><h1>Hello</h1>");
  });
  await new Promise<void>(resolve => site.listen(0, "127.0.0.1", resolve));
  const address = site.address();
  const port = typeof address === "object" && address ? address.port : 0;
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), `{ "name": "project", "private": true, "type": "module" }\n`);
  const config = `export default { baseUrl: "http://127.0.0.1:${port}", routes: ["/"] };\n`;
  await writeFile(join(folder, "service.config.ts"), config);
  try {
    return await measure(folder, async () => {
      await npm(["install", "--save-dev", "--no-audit", "--no-fund", archive], folder);
      // Without baselines, the page is new, which is exit code 1.
      const printed = await npm(["exec", "--", "vrs", "check"], folder).catch(
        (error: Error) => error.message,
      );
      if (!printed.includes("1 new")) throw new Error(printed);
    });
  } finally {
    site.close();
    site.closeAllConnections();
  }
}

function report(name: keyof typeof LIMITS, figures: Figures): void {
  const { seconds, megabytes } = LIMITS[name];
  const isSlow = !values["no-time"] && figures.seconds > seconds;
  const isOver = isSlow || figures.megabytes > megabytes;
  const limits = `limits: ${seconds} s, ${megabytes} MB`;
  console.log(`${isOver ? "✗" : "✓"} ${name}: ${figures.seconds} s, ${figures.megabytes} MB (${limits})`);
  if (isOver) process.exitCode = 1;
}

async function packClone(clone: string): Promise<string> {
  await npm(["run", "package"], clone);
  const { version } = JSON.parse(await readFile(join(clone, "package.json"), "utf8"));
  return join(clone, "dist", `vrs-${version}.tgz`);
}

const folder = await mkdtemp(join(tmpdir(), "vrs-install-"));
try {
  const clone = join(folder, "clone");
  const demo = await measure(clone, async () => {
    await run("git", ["clone", "--quiet", "--depth", "1", pathToFileURL(ROOT).href, clone]);
    await npm(["run", "demo", "--", "--exit"], clone);
  });
  report("demo", demo);
  report("check", await checkProject(join(folder, "project"), await packClone(clone)));
} finally {
  await rm(folder, { recursive: true, force: true });
}
