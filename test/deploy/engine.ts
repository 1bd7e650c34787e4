import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type CommandOptions, isInstalled, run, succeeds } from "./commands.ts";

/** A Docker engine with Compose. */
export interface Engine {
  /** Runs a `docker` command, and returns what it printed. */
  docker(args: string[], options?: CommandOptions): Promise<string>;
  /** Variables with which `docker` reaches the engine. */
  env: Record<string, string>;
  /** Folder that is kept between runs, for what takes long to make. */
  folder: string;
  /** Stops the engine if this process started it. Its images stay. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 60_000;
/** Debian 13 has the oldest Compose that the compose file needs. */
const COMPOSE_SUITE = "trixie";

/**
 * Returns this machine's engine. If none runs, it starts one of its own, and installs Debian's packages first if
 * they are missing.
 * @throws Error that says what to install
 */
export async function startEngine(): Promise<Engine> {
  const folder = join(tmpdir(), "vrs-test-deploy");
  await mkdir(folder, { recursive: true });
  if (await succeeds("docker", ["info"])) {
    const env = await composePlugin(folder, {});
    return { docker: (args, options) => docker(args, env, options), env, folder, stop: async () => {} };
  }
  if (!(await isInstalled("dockerd"))) await installPackages(["docker.io", "iptables"]);
  const socket = join(folder, "docker.sock");
  const env = await composePlugin(folder, { DOCKER_HOST: `unix://${socket}` });
  const stop = await startDaemon(folder, socket, env);
  return { docker: (args, options) => docker(args, env, options), env, folder, stop };
}

function docker(args: string[], env: Record<string, string>, options: CommandOptions = {}): Promise<string> {
  return run("docker", args, { ...options, env: { ...env, ...options.env } });
}

/** Starts dockerd with data of its own. Returns what stops it. */
async function startDaemon(folder: string, socket: string, env: Record<string, string>) {
  const log = await open(join(folder, "dockerd.log"), "w");
  const child = spawn(
    "dockerd",
    [
      ...["--data-root", join(folder, "data"), "--exec-root", join(folder, "exec")],
      ...["--pidfile", join(folder, "dockerd.pid"), "--host", `unix://${socket}`],
    ],
    { stdio: ["ignore", log.fd, log.fd] },
  );
  const ended = once(child, "exit");
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await succeeds("docker", ["info"], { env }))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill();
      throw new Error(`The Docker engine didn't start. See ${join(folder, "dockerd.log")}.`);
    }
    await delay(500);
  }
  return async () => {
    child.kill("SIGTERM");
    const isStopped = await Promise.race([
      ended.then(() => true),
      delay(STOP_TIMEOUT_MS, false, { ref: false }),
    ]);
    if (!isStopped) child.kill("SIGKILL");
    await log.close();
  };
}

/** Installs packages of Debian without starting what they bring. */
export async function installPackages(names: string[]): Promise<void> {
  console.log(`  Installing ${names.join(" and ")} with apt-get.`);
  const policy = "/usr/sbin/policy-rc.d";
  const ours = await writeFile(policy, "#!/bin/sh\nexit 101\n", { flag: "wx", mode: 0o755 }).then(
    () => true,
    () => false,
  );
  const apt = ["-q", "-y", "-o", "DPkg::Lock::Timeout=300", "--no-install-recommends"];
  const options = { env: { DEBIAN_FRONTEND: "noninteractive" } };
  try {
    await run("apt-get", ["-q", "update"], options);
    await run("apt-get", [...apt, "install", ...names], options);
  } finally {
    if (ours) await rm(policy, { force: true });
  }
}

/** Returns variables with which Docker finds Compose 2: the machine's, or one of Debian unpacked into the folder. */
async function composePlugin(folder: string, env: Record<string, string>): Promise<Record<string, string>> {
  if (await succeeds("docker", ["compose", "version"])) return env;
  const config = join(folder, "config");
  const own = { ...env, DOCKER_CONFIG: config };
  if (await succeeds("docker", ["compose", "version"], { env: own })) return own;
  console.log(
    `  Compose 2 isn't installed. Unpacking that of Debian ${COMPOSE_SUITE}, without installing it.`,
  );
  const apt = join(folder, "apt");
  await mkdir(join(apt, "lists/partial"), { recursive: true });
  await mkdir(join(apt, "cache/archives/partial"), { recursive: true });
  const source =
    "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian";
  await writeFile(join(apt, "sources.list"), `${source} ${COMPOSE_SUITE} main\n`);
  const options = [
    ...["-o", `Dir::Etc::sourcelist=${apt}/sources.list`, "-o", "Dir::Etc::sourceparts=-"],
    ...["-o", `Dir::State::lists=${apt}/lists`, "-o", `Dir::Cache=${apt}/cache`],
    ...["-o", "Acquire::Languages=none", "-o", "APT::Sandbox::User=root"],
  ];
  await run("apt-get", [...options, "update"]);
  await run("apt-get", [...options, "download", "docker-compose"], { cwd: apt });
  await run("sh", ["-c", "dpkg-deb -x docker-compose_*.deb unpacked"], { cwd: apt });
  const plugins = join(config, "cli-plugins");
  await mkdir(plugins, { recursive: true });
  await copyFile(
    join(apt, "unpacked/usr/libexec/docker/cli-plugins/docker-compose"),
    join(plugins, "docker-compose"),
  );
  return own;
}
