/**
 * Runs before `npm start`, `npm test`, `npm run demo` and `npm run package`, on the machine's own Node: installs what
 * package-lock.json names when that is not what node_modules holds, sees to it that node_modules/.bin/node is the
 * Node that this project runs on, and builds the dashboard. Does nothing, quickly, when all of it is there.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const BIN = join(ROOT, "node_modules", ".bin", process.platform === "win32" ? "node.cmd" : "node");

/** The oldest Node that can run npm's and this file's own code. */
const OLDEST_NODE = 20;

/** What npm's error codes mean to the person in front of the terminal; the first that occurs is told. */
const CAUSES = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET/,
    "The npm registry could not be reached. Check the network, or HTTPS_PROXY and npm's `registry` setting, and run the command again.",
  ],
  [/ENOSPC/, "The disk is full. About 1 GB is needed beside npm's cache."],
  [
    /EROFS|EACCES|EPERM/,
    `This user may not write to ${ROOT}, or to npm's cache. Clone to a folder of your own; root is not needed.`,
  ],
  [
    /SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|CERT_/,
    "The registry's certificate is not trusted. Name your company's certificates in NODE_EXTRA_CA_CERTS or npm's `cafile`.",
  ],
  [
    /E401|E403|ENEEDAUTH/,
    "The npm registry refused the request. Check npm's `registry` setting and log in to it.",
  ],
  [
    /E404|ETARGET/,
    "The npm registry does not have a package that is needed. A mirror may lag behind the public one.",
  ],
  [
    /EINTEGRITY/,
    "A package was damaged on its way, or is not the one that was locked. Run `npm cache verify` and try again.",
  ],
  [
    /EUSAGE/,
    "package.json and package-lock.json do not agree. Run `npm install`, then `node cli/complete-lock.ts`.",
  ],
];

class SetupError extends Error {}

const readJson = path => {
  try {
    return JSON.parse(readFileSync(join(ROOT, path), "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
};

/** Whether node_modules holds each package that is locked, in its version. npm writes its own list last. */
function isInstalled(lock) {
  const installed = readJson("node_modules/.package-lock.json")?.packages;
  if (!installed) return false;
  const withDev = process.env.NODE_ENV !== "production";
  return Object.entries(lock.packages).every(([path, wanted]) => {
    if (path === "" || wanted.optional || wanted.devOptional || (wanted.dev && !withDev)) return true;
    const found = installed[path];
    return found?.version === wanted.version && found.integrity === wanted.integrity;
  });
}

/** The version of the Node in node_modules, as `24.1.0`; null when it is not there or does not run. */
function installedNode() {
  const { status, stdout } = spawnSync(BIN, ["--version"], {
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  return status === 0 ? stdout.trim().slice(1) : null;
}

const major = version => Number(version.split(".")[0]);

/** Whether npm scripts run on the right Node: the one in node_modules, or the machine's own if there is none. */
function hasNode(version) {
  return installedNode() === version || (!existsSync(BIN) && major(process.versions.node) >= major(version));
}

/** Runs the npm that started this, or the machine's. */
function npm(...args) {
  const file = process.env.npm_execpath;
  return file ? run(process.execPath, [file, ...args], ROOT) : run("npm", args, ROOT);
}

/** Runs a command. Resolves to its exit code and what it said. */
function run(command, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
    });
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

/** Shows that time passes: seconds on a terminal, nothing in a log. */
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
  const count = Object.values(lock.packages).filter(({ optional }) => !optional).length;
  const { code, output } = await whileWaiting(`Installing ${count} packages into node_modules, once`, () =>
    npm("ci", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"),
  );
  if (code === 0) return;
  const cause = CAUSES.find(([pattern]) => pattern.test(output))?.[1] ?? "npm's own words are above.";
  throw new SetupError(`${output.trim()}\n\nThe packages could not be installed. ${cause}`);
}

/** Does what the package `node` does as it is installed, for an npm whose settings keep it from that. */
async function putNodeInPlace(version) {
  const folder = join(ROOT, "node_modules", "node");
  const { output } = await whileWaiting(`Putting Node ${version} into node_modules`, async () => {
    const installed = await run(process.execPath, ["installArchSpecificPackage.js"], folder);
    const linked = await npm("rebuild", "node", "--ignore-scripts", "--loglevel=error");
    return { output: installed.output + linked.output };
  });
  if (installedNode() === version) return;
  if (major(process.versions.node) >= major(version)) {
    rmSync(BIN, { force: true });
    console.error(
      `npm has no Node ${version} for this machine; its own Node ${process.versions.node} is used instead.`,
    );
    return;
  }
  throw new SetupError(
    `${output.trim()}\n\nNode ${version} could not be put into node_modules for ${process.platform} ${process.arch}. ` +
      `Install Node ${major(version)} on the machine (https://nodejs.org), and run the command again.`,
  );
}

/** Saves the first start its time; that start does, and explains, whatever could not be done here. */
async function prepare() {
  const node = existsSync(BIN) ? BIN : process.execPath;
  await whileWaiting("Unpacking the browser, making an empty database", () =>
    run(node, [join(ROOT, "cli", "prepare.ts")], ROOT),
  );
}

/** The dashboard, when it is not there yet or its sources are others than those that it was built from. */
async function buildDashboard() {
  const { isBuilt } = await import("./build-dashboard.mjs");
  if (isBuilt()) return;
  const node = existsSync(BIN) ? BIN : process.execPath;
  const { code, output } = await whileWaiting("Building the dashboard", () =>
    run(node, [join(ROOT, "cli", "build-dashboard.mjs")], ROOT),
  );
  if (code !== 0) throw new SetupError(`${output.trim()}\n\nThe dashboard could not be built.`);
}

async function main() {
  if (major(process.versions.node) < OLDEST_NODE) {
    throw new SetupError(
      `Node ${OLDEST_NODE} or newer is needed to set up; this is ${process.versions.node}.`,
    );
  }
  const lock = readJson("package-lock.json");
  if (!lock) throw new SetupError(`There is no package-lock.json in ${ROOT}: the clone is not complete.`);
  const { version } = lock.packages["node_modules/node"];
  const isNew = !isInstalled(lock);
  if (isNew) await install(lock);
  if (!hasNode(version)) await putNodeInPlace(version);
  if (isNew) await prepare();
  await buildDashboard();
}

try {
  await main();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
