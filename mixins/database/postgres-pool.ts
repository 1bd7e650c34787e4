import { Client, type ClientBase, type ClientConfig, type PoolConfig, types } from "pg";

/**
 * Twice the time of a response from another continent, and half of a request's timeout, so that its caller
 * gets the error.
 */
const CONNECT_TIMEOUT_MS = 15_000;
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
    ...common(url, `vrs ${service}`),
    max: connections,
    query_timeout: RESPONSE_TIMEOUT_MS,
    onConnect: setLimits,
  };
}

/** Returns the options of the single connection for migrations. Their statements have no timeout. */
export function migrationPool(url: string, service: string): PoolConfig {
  return { ...common(url, `vrs ${service} migrations`), max: 1 };
}

function common(url: string, applicationName: string): PoolConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser },
    Client: DisconnectingClient,
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
    if (error instanceof Error && error.message === "Query read timeout") void this.end();
  }
}

type Release = (error?: Error | boolean) => void;
