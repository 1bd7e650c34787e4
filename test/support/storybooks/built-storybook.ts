import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const FIXTURES = join(import.meta.dirname, "../fixtures/storybooks");
/** Outside of the repository, whose packages the libraries must not find. It outlives `npm ci`. */
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "vrs-tests", "storybooks");
const INSTALL_TIMEOUT_MS = 10 * 60_000;
const BUILD_TIMEOUT_MS = 5 * 60_000;

/** React with Vite and the latest Storybook, and web components with webpack and Storybook 7. */
export type LibraryName = "react" | "web-components";

/** Edits of a library's sources: replaces a text in a file. */
export type Edits = readonly { file: string; from: string; to: string }[];

/** Returns the folder of a library with a static build of its Storybook. Installs and builds it once for each machine. */
export async function builtStorybook(name: LibraryName, edits: Edits = []): Promise<string> {
  const fixture = join(FIXTURES, name);
  const installed = await install(name, fixture);
  const key = await hashOf(fixture, JSON.stringify(edits));
  const folder = join(installed, "builds", key);
  await once(folder, async copy => {
    await cp(fixture, copy, { recursive: true });
    for (const { file, from, to } of edits) {
      const path = join(copy, file);
      const text = await readFile(path, "utf8");
      if (!text.includes(from)) throw new Error(`${file} has no ${from}.`);
      await writeFile(path, text.replace(from, to));
    }
    await npm(copy, BUILD_TIMEOUT_MS, "run", "build-storybook");
  });
  return folder;
}

/** Installs a library's packages. @returns its folder; builds in it find the packages */
async function install(name: LibraryName, fixture: string): Promise<string> {
  const file = await readFile(join(fixture, "package.json"), "utf8");
  const key = createHash("sha256").update(file).digest("hex").slice(0, 12);
  const folder = join(CACHE, `${name}-${key}`);
  await once(folder, async copy => {
    await writeFile(join(copy, "package.json"), file);
    await npm(copy, INSTALL_TIMEOUT_MS, "install", "--no-audit", "--no-fund", "--loglevel=error");
  });
  return folder;
}

/** Makes a folder once. Another process that makes it meanwhile wins. */
async function once(folder: string, make: (copy: string) => Promise<void>): Promise<void> {
  const isThere = async () => (await stat(folder).catch(() => null)) !== null;
  if (await isThere()) return;
  await mkdir(dirname(folder), { recursive: true });
  const copy = await mkdtemp(`${folder}.`);
  try {
    await make(copy);
    await rename(copy, folder).catch(async (error: unknown) => {
      if (!(await isThere())) throw error;
    });
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function npm(cwd: string, timeout: number, ...args: string[]): Promise<void> {
  const { PATH = "", HOME = homedir() } = process.env;
  const env = { ...process.env, HOME, PATH: `${join(cwd, "../../node_modules/.bin")}${delimiter}${PATH}` };
  await run(process.platform === "win32" ? "npm.cmd" : "npm", args, {
    cwd,
    env,
    timeout,
    maxBuffer: 2 ** 26,
  });
}

async function hashOf(folder: string, more: string): Promise<string> {
  const hash = createHash("sha256").update(more);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
  for (const path of paths.sort()) hash.update(path.slice(folder.length)).update(await readFile(path));
  return hash.digest("hex").slice(0, 12);
}
