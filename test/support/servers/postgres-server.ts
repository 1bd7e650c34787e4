import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { chown, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { Child } from "../drivers/child.ts";
import { freePort } from "../drivers/free-port.ts";
import { until } from "../drivers/until.ts";
import { findPostgres } from "./server-programs.ts";

const run = promisify(execFile);

/**
 * A test's data need not survive a crash of the machine. Commits must survive a crash of the process. Autovacuum would
 * visit the databases of all tests in turn.
 */
const SETTINGS = {
  fsync: "off",
  full_page_writes: "off",
  autovacuum: "off",
  max_connections: "600",
  shared_buffers: "64MB",
  unix_socket_directories: "",
  listen_addresses: "127.0.0.1",
};

/** The advisory lock of filling a database that others are copied from. */
const FILL_LOCK = 0x746d70;

const TEMPLATES = join(import.meta.dirname, "../../../node_modules/.cache/test-servers");

interface PostgresStart {
  of?: PostgresServer;
  settings?: Record<string, string>;
}

/** A test's own PostgreSQL, which it may kill and restart. */
export class PostgresServer {
  readonly port: number;
  readonly #folder: string;
  readonly #programs: string;
  /** PostgreSQL refuses to run as root. */
  readonly #user: { uid: number; gid: number } | null;
  readonly #settings: Record<string, string>;
  #child: Child | null = null;

  private constructor(
    port: number,
    folder: string,
    programs: string,
    user: { uid: number; gid: number } | null,
    settings: Record<string, string>,
  ) {
    this.#settings = settings;
    this.port = port;
    this.#folder = folder;
    this.#programs = programs;
    this.#user = user;
  }

  /**
   * Starts one with an empty cluster of databases, or a standby that streams from `of`. A commit on that one then
   * waits until the standby has it.
   * @param start.settings settings of the server besides those of all tests
   */
  static async start({ of, settings = {} }: PostgresStart = {}): Promise<PostgresServer> {
    const programs = findPostgres();
    if (!programs) throw new Error("PostgreSQL is not installed.");
    const folder = await mkdtemp(join(tmpdir(), "vrs-postgres-"));
    const user = process.getuid?.() === 0 ? await unprivilegedUser() : null;
    if (user) await chown(folder, user.uid, user.gid);
    if (of) await copyCluster(of.url(), join(folder, "data"), programs, user);
    else await createCluster(join(folder, "data"), programs, user);
    const server = new PostgresServer(await freePort(), folder, programs, user, settings);
    await server.start();
    if (of) await of.#waitForStandby();
    return server;
  }

  /** Makes this standby the primary. Resolves when it accepts writes. */
  async promote(): Promise<void> {
    await query(this.url(), "select pg_promote()");
  }

  /** Makes commits wait for the standby, once there is one. */
  async #waitForStandby(): Promise<void> {
    await query(this.url(), "alter system set synchronous_standby_names = '*'");
    await query(this.url(), "select pg_reload_conf()");
    const inSync = "select from pg_stat_replication where sync_state in ('sync', 'quorum')";
    await until(async () => (await query(this.url(), inSync)).length === 1);
  }

  /** Returns the URL of one of its databases. */
  url(database = "postgres"): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  get ended(): boolean {
    return this.#child?.ended ?? true;
  }

  /** Starts it on the same port and data. Resolves when clients can connect. */
  async start(): Promise<void> {
    const settings = Object.entries({ ...SETTINGS, ...this.#settings, port: String(this.port) });
    const args = [
      "-D",
      join(this.#folder, "data"),
      ...settings.flatMap(([key, value]) => ["-c", `${key}=${value}`]),
    ];
    const child = new Child(join(this.#programs, "postgres"), args, {
      cwd: this.#folder,
      // SIGKILL would leave its own child processes running.
      fatal: "SIGQUIT",
      ...this.#user,
    });
    this.#child = child;
    await child.until(() =>
      query(this.url(), "select 1").then(
        () => true,
        () => false,
      ),
    );
  }

  /** Creates an empty database with a unique name. @returns its URL */
  createDatabase(): Promise<string> {
    return createDatabaseAt(this.url());
  }

  /** Kills it: connections break, transactions are lost, and the next start recovers. */
  async kill(): Promise<void> {
    await this.#child?.end("SIGQUIT");
  }

  /** Closes the connections and stops it gracefully. Its data stays for the next start. */
  async stop(): Promise<void> {
    await this.#child?.end("SIGINT");
  }

  /** Stops it and deletes its data. */
  async close(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

let shared: Promise<PostgresServer> | null = null;

/** Returns the PostgreSQL of this mocha run, which starts at the first request. */
function sharedPostgres(): Promise<PostgresServer> {
  shared ??= PostgresServer.start();
  return shared;
}

/** Starts the PostgreSQL of this mocha run, if one is installed. Processes started from now on can use it. */
export async function sharePostgres(): Promise<void> {
  if (process.env.TEST_DATABASE_URL || !findPostgres()) return;
  process.env.TEST_DATABASE_URL = (await sharedPostgres()).url();
}

/** Creates an empty database, on the server of TEST_DATABASE_URL if that is set. @returns its URL */
export async function createDatabase(): Promise<string> {
  return createDatabaseAt(await sharedUrl());
}

async function sharedUrl(): Promise<string> {
  return process.env.TEST_DATABASE_URL ?? (await sharedPostgres()).url();
}

/**
 * Copies a database of the same server, which `fill` fills the first time. Other processes that need it wait.
 * @returns the URL of the copy
 */
export async function copyDatabase(template: string, fill: (url: string) => Promise<void>): Promise<string> {
  const server = await sharedUrl();
  filled ??= fillOnce(server, template, fill);
  await filled;
  return createDatabaseAt(server, template);
}

let filled: Promise<void> | null = null;

async function fillOnce(server: string, name: string, fill: (url: string) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [FILL_LOCK]);
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
    if (rowCount !== 0) return;
    const draft = await createDatabaseAt(server);
    await fill(draft);
    await client.query(`alter database ${new URL(draft).pathname.slice(1)} rename to ${name}`);
  } finally {
    await client.end();
  }
}

/** Stops the PostgreSQL of this mocha run. */
export async function closeSharedPostgres(): Promise<void> {
  const server = await shared?.catch(() => null);
  shared = null;
  filled = null;
  await server?.close();
}

/** Returns the rows of one statement in this URL's database, on its own connection. */
export async function query(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A server that stops meanwhile fails only the statement.
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(sql, values)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

async function createDatabaseAt(server: string, template = "template1"): Promise<string> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  copyStrategy ??= readCopyStrategy(server);
  await query(server, `create database ${name} template ${template} ${await copyStrategy}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

let copyStrategy: Promise<string> | null = null;

/** Returns how to copy a database. Copied files take a third of the work of logged pages, the default from version 15. */
async function readCopyStrategy(server: string): Promise<string> {
  const [row] = await query(
    server,
    "select current_setting('server_version_num')::int >= 150000 as is_choice",
  );
  return row?.is_choice ? "strategy file_copy" : "";
}

/**
 * Creates an empty cluster of databases. The first one is kept as a template, because copying it takes a
 * tenth of the work.
 */
async function createCluster(
  folder: string,
  programs: string,
  user: { uid: number; gid: number } | null,
): Promise<void> {
  const { stdout: version } = await run(join(programs, "postgres"), ["--version"]);
  const name = createHash("sha256").update(`${programs} ${version} ${user?.uid}`).digest("hex").slice(0, 12);
  const template = join(TEMPLATES, `postgres-${name}`);
  if (!existsSync(template)) {
    const draft = `${folder}-draft`;
    const locale = ["--encoding=UTF8", "--locale=C"];
    const args = ["-D", draft, "-U", "postgres", "-A", "trust", "--no-sync", ...locale];
    await run(join(programs, "initdb"), args, { cwd: dirname(folder), ...user });
    await mkdir(TEMPLATES, { recursive: true });
    const createAtomically = `${template}.${randomUUID()}`;
    await run("cp", ["-a", draft, createAtomically]);
    await rm(draft, { recursive: true });
    // If another process was faster, this copy is deleted.
    await rename(createAtomically, template).catch(() => rm(createAtomically, { recursive: true }));
  }
  await run("cp", ["-a", template, folder]);
}

/** Copies the running primary's cluster of databases, as the start of a standby. */
async function copyCluster(
  primary: string,
  folder: string,
  programs: string,
  user: { uid: number; gid: number } | null,
): Promise<void> {
  const args = ["-d", primary, "-D", folder, "-R", "-X", "stream", "-c", "fast", "--no-sync"];
  await run(join(programs, "pg_basebackup"), args, { cwd: dirname(folder), ...user });
}

/** Returns the ids of the system's user `postgres`, or of `nobody`. */
export async function unprivilegedUser(): Promise<{ uid: number; gid: number }> {
  const users = (await readFile("/etc/passwd", "utf8")).split("\n").map(line => line.split(":"));
  const found = ["postgres", "nobody"].flatMap(name => users.filter(user => user[0] === name))[0];
  if (!found) throw new Error("PostgreSQL does not run as root, and there is no user postgres or nobody.");
  return { uid: Number(found[2]), gid: Number(found[3]) };
}
