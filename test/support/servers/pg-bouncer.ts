import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Child } from "../drivers/child.ts";
import { freePort } from "../drivers/free-port.ts";
import { query, unprivilegedUser } from "./postgres-server.ts";
import { findPgBouncer } from "./server-programs.ts";

/** Fewer than the services of a node open, so that clients really share them. */
const SERVER_CONNECTIONS = 6;

/** A test's own PgBouncer in front of a database. */
export class PgBouncer {
  readonly #port: number;
  readonly #folder: string;
  readonly #child: Child;
  readonly #database: string;

  private constructor(port: number, folder: string, child: Child, database: string) {
    this.#port = port;
    this.#folder = folder;
    this.#child = child;
    this.#database = database;
  }

  /** @param databaseUrl the database behind it, as the user postgres without a password */
  static async start(databaseUrl: string, poolMode: "transaction" | "statement"): Promise<PgBouncer> {
    const program = findPgBouncer();
    if (!program) throw new Error("PgBouncer is not installed.");
    const folder = await mkdtemp(join(tmpdir(), "vrs-pgbouncer-"));
    const user = process.getuid?.() === 0 ? await unprivilegedUser() : null;
    if (user) await chown(folder, user.uid, user.gid);
    const { hostname, port: behind, pathname } = new URL(databaseUrl);
    const port = await freePort();
    const database = pathname.slice(1);
    const users = join(folder, "users.txt");
    const file = join(folder, "pgbouncer.ini");
    await writeFile(users, '"postgres" ""\n', { mode: 0o644 });
    const settings = {
      listen_addr: "127.0.0.1",
      listen_port: port,
      unix_socket_dir: "",
      auth_type: "trust",
      auth_file: users,
      pool_mode: poolMode,
      default_pool_size: SERVER_CONNECTIONS,
      max_client_conn: 500,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
    const target = `${database} = host=${hostname} port=${behind} dbname=${database}`;
    await writeFile(file, `[databases]\n${target}\n[pgbouncer]\n${lines.join("\n")}\n`, { mode: 0o644 });
    const bouncer = new PgBouncer(port, folder, new Child(program, [file], { ...user }), database);
    await bouncer.#child.until(() =>
      query(bouncer.url(), "select 1").then(
        () => true,
        () => false,
      ),
    );
    return bouncer;
  }

  /** Returns the URL of the database behind it, or of another name. */
  url(database = this.#database): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/${database}`;
  }

  async close(): Promise<void> {
    await this.#child.end("SIGTERM");
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
