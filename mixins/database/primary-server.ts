import { databaseServers } from "../../shared/environment/database-servers.ts";
import { DATABASE_MESSAGES } from "../texts.ts";

/** PostgreSQL's code for a write on a standby. Callers retry it. */
const READ_ONLY = "25006";

const known = new Map<string, PrimaryServer>();

/** Returns the servers of a DATABASE_URL. All pools of this process share what one of them finds out. */
export function primaryOf(url: string): PrimaryServer {
  const primary = known.get(url) ?? new PrimaryServer(databaseServers(url) ?? [url]);
  known.set(url, primary);
  return primary;
}

/** The servers of one DATABASE_URL, and which of them accepted writes last. */
class PrimaryServer {
  readonly #servers: readonly string[];
  #index = 0;

  /** @param servers a URL for each, at least one */
  constructor(servers: readonly string[]) {
    this.#servers = servers;
  }

  /** Whether there is another server to try. */
  get hasStandby(): boolean {
    return this.#servers.length > 1;
  }

  /** The URL of the server to connect to. */
  get current(): string {
    return this.#servers[this.#index] ?? "";
  }

  /** Chooses the next server, unless another connection already did. */
  skip(server: string): void {
    if (server === this.current) this.#index = (this.#index + 1) % this.#servers.length;
  }
}

/** Returns the error of a connection to a standby, like PostgreSQL's own for a write on it. */
export function standbyError(): Error {
  return Object.assign(new Error(DATABASE_MESSAGES.standby), { code: READ_ONLY });
}

/** Returns whether a statement failed because its server doesn't accept writes. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === READ_ONLY;
}
