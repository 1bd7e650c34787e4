import { Client, type ClientBase, type ClientConfig, type PoolConfig, types } from "pg";

/** Twice what an answer from another continent takes; half of a request's patience, so that its caller hears of it. */
const CONNECT_TIMEOUT_MS = 15_000;
/** A statement that is not through by then is cancelled by the server: no caller waits for it any more. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** Longer than the server's own limit: a server that has not even cancelled by then is not there any more. */
const RESPONSE_TIMEOUT_MS = 35_000;
/** A transaction whose node hangs holds its locks no longer than this. */
const IDLE_IN_TRANSACTION_MS = 30_000;
const IDLE_MS = 30_000;

const INT8 = 20;

/** The connections that a service works with. */
export function servicePool(url: string, service: string, connections: number): PoolConfig {
  return {
    ...common(url, `vrs ${service}`),
    max: connections,
    query_timeout: RESPONSE_TIMEOUT_MS,
    onConnect: setLimits,
  };
}

/** The one connection that a service's schema is changed with, where a statement may take its time. */
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

/** As the embedded database reads them: times as dates, counts as numbers; a count does not reach 2⁵³. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: "text" | "binary") =>
  oid === INT8 && format !== "binary" ? Number : types.getTypeParser(oid, format);

/** Set by a statement: as parameters of the connection PgBouncer would refuse them. */
async function setLimits(client: ClientBase): Promise<void> {
  await client.query(
    `set statement_timeout = ${STATEMENT_TIMEOUT_MS};
     set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`,
  );
}

/**
 * Leaves a server that does not answer, and the pool when its connection has ended. pg itself only fails the query that
 * took too long, so that the pool would hand out the stuck connection again; and the ORM does not give back the
 * connection of a transaction that it could not roll back, so that a few restarts of the server would use up the pool.
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

  /** Gives the client back to the pool, which sets this each time that it lends it; once, whoever comes first. */
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
