import { Client, type ClientBase, type ClientConfig, type PoolConfig, types } from "pg";
import { isReadOnly, primaryOf, standbyError } from "./primary-server.ts";

/**
 * Twice the time of a response from another continent, and half of a request's timeout, so that its caller
 * gets the error.
 */
const CONNECT_TIMEOUT_MS = 15_000;
/** With several servers. The next one is tried while callers still wait. */
const CONNECT_TO_ONE_TIMEOUT_MS = 5_000;
/** The server cancels a longer statement. Its caller no longer waits for it. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** Longer than the server's own limit. A server that hasn't canceled the statement by then is gone. */
const RESPONSE_TIMEOUT_MS = 35_000;
/** A transaction of a hanging node holds its locks no longer than this. */
const IDLE_IN_TRANSACTION_MS = 30_000;
const IDLE_MS = 30_000;

const INT8 = 20;

/** Returns the options of a service's connection pool. */
export function servicePool(url: string, service: string, connections: number): PoolConfig {
  return {
    ...common(url, `vrs ${service}`, setLimits),
    max: connections,
    query_timeout: RESPONSE_TIMEOUT_MS,
  };
}

/** Returns the options of the single connection for migrations. Their statements have no timeout. */
export function migrationPool(url: string, service: string): PoolConfig {
  return { ...common(url, `vrs ${service} migrations`), max: 1 };
}

function common(
  url: string,
  applicationName: string,
  prepare: (client: ClientBase) => Promise<void> = async () => {},
): PoolConfig {
  const primary = primaryOf(url);
  return {
    connectionString: primary.current,
    application_name: applicationName,
    connectionTimeoutMillis: primary.hasStandby ? CONNECT_TO_ONE_TIMEOUT_MS : CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser },
    Client: primary.hasStandby ? clientOf(primary) : DisconnectingClient,
    onConnect: prepare,
  };
}

/**
 * Reads types like the embedded database: times as dates, and counts as numbers, because no count reaches
 * 2⁵³.
 */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: "text" | "binary") =>
  oid === INT8 && format !== "binary" ? Number : types.getTypeParser(oid, format);

/** Sets limits with a statement, because PgBouncer would reject them as parameters of the connection. */
async function setLimits(client: ClientBase): Promise<void> {
  await client.query(
    `set statement_timeout = ${STATEMENT_TIMEOUT_MS};
     set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`,
  );
}

/**
 * Disconnects from a server that doesn't respond, and leaves the pool when its connection has ended. pg
 * itself only fails the slow query, so the pool would lend the stuck connection again. The ORM doesn't return
 * the connection of a transaction that it couldn't roll back. A few restarts of the server would use up the
 * pool.
 */
class DisconnectingClient extends Client {
  #release: Release = () => {};

  constructor(config?: ClientConfig) {
    super(config);
    this.query = new Proxy(this.query, {
      apply: (query, self, args) => {
        const answer: unknown = Reflect.apply(query, self, args);
        if (answer instanceof Promise) answer.catch(error => this.#endIfStuck(error));
        return answer;
      },
    });
    this.once("end", () => this.release(true));
  }

  /**
   * Returns the client to its pool. The pool sets this each time it lends the client. Only the first call
   * counts.
   */
  get release(): Release {
    return error => {
      const release = this.#release;
      this.#release = () => {};
      release(error);
    };
  }

  set release(release: Release) {
    this.#release = release;
  }

  #endIfStuck(error: unknown): void {
    const isStuck = error instanceof Error && error.message === "Query read timeout";
    // The server, or the one behind a proxy, became a standby. The next connection reaches the primary.
    if (isStuck || isReadOnly(error)) void this.end();
  }
}

type Release = (error?: Error | boolean) => void;

/** Returns a client that connects to the server that accepts writes. A failed attempt chooses the next server. */
function clientOf(primary: ReturnType<typeof primaryOf>): typeof DisconnectingClient {
  return class extends DisconnectingClient {
    readonly #server: string;

    constructor(config?: ClientConfig) {
      const server = primary.current;
      super({ ...config, connectionString: server });
      this.#server = server;
      this.connect = new Proxy(this.connect, {
        apply: (connect, self, [done]: [Done?]) => {
          if (!done) return Reflect.apply(connect, self, []);
          const verified = (error?: Error) => void this.#verify(error).then(() => done(), done);
          return Reflect.apply(connect, self, [verified]);
        },
      });
    }

    async #verify(failure?: Error): Promise<void> {
      try {
        if (failure) throw failure;
        const { rows } = await this.query<{ standby: boolean }>("select pg_is_in_recovery() as standby");
        if (rows[0]?.standby) throw standbyError();
      } catch (error) {
        primary.skip(this.#server);
        // The pool drops a client whose connection failed, without closing it.
        if (!failure) void this.end();
        throw error;
      }
    }
  };
}

type Done = (error?: Error) => void;
