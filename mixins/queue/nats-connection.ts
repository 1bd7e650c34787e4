import { setTimeout as delay } from "node:timers/promises";
import {
  type NatsConnection as Client,
  type ConnectionOptions,
  connect,
  DebugEvents,
  Events,
  type Status,
} from "nats";
import { NATS_MESSAGES } from "../texts.ts";
import { natsServers } from "./nats-servers.ts";

const CONNECT_TIMEOUT_MS = 5_000;
const RECONNECT_DELAY_MS = 500;
/** A hanging or disconnected server is noticed after two missed pings. */
const PING_INTERVAL_MS = 5_000;
/** The last messages reach the server by then, or not at all. */
const FLUSH_TIMEOUT_MS = 1_000;
/** Different errors, in the lifetime of a node. */
const MAX_LOGGED_ERRORS = 100;

/** The connection's log. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
}

/** An uninterrupted connection. Requests in it can only be answered in it. */
export interface NatsSession {
  client: Client;
  /** Prefix of the subject of every response. */
  inboxPrefix: string;
  /** Aborts when the connection is lost. */
  lost: AbortSignal;
}

/**
 * Waits for a request of a session. @throws Error as soon as the session is lost: no response comes after it
 */
export async function during<Answer>({ lost }: NatsSession, asked: Promise<Answer>): Promise<Answer> {
  const over = Promise.withResolvers<never>();
  const end = () => over.reject(new Error(NATS_MESSAGES.lost));
  if (lost.aborted) end();
  lost.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([asked, over.promise]);
  } finally {
    lost.removeEventListener("abort", end);
  }
}

/**
 * A node's connection to NATS. It connects when the server is there, and again whenever the connection is
 * lost.
 */
export class NatsConnection {
  readonly #options: ConnectionOptions & { inboxPrefix: string };
  readonly #serverList: string;
  readonly #log: Log;
  readonly #closed = new AbortController();
  readonly #waiting = new Set<() => void>();
  #session: NatsSession | null = null;
  #loss = new AbortController();
  #client: Client | null = null;
  readonly #errors = new Set<string>();
  #running: Promise<void> | null = null;

  /** @param name the node's name in the server's monitoring */
  constructor(addresses: readonly string[], name: string, log: Log) {
    const servers = natsServers(addresses);
    this.#serverList = servers.servers.join(", ");
    this.#log = log;
    this.#options = {
      ...servers,
      name,
      timeout: CONNECT_TIMEOUT_MS,
      reconnectTimeWait: RECONNECT_DELAY_MS,
      maxReconnectAttempts: -1,
      // A server whose users are being changed rejects connections for a moment.
      ignoreAuthErrorAbort: true,
      pingInterval: PING_INTERVAL_MS,
      maxPingOut: 2,
      noAsyncTraces: true,
    };
  }

  /** Starts to connect, once. Callers wait for `session`. */
  open(): void {
    this.#running ??= this.#stayConnected();
  }

  /** Returns the connection once there is one, or null if the signal aborts first, or after `close`. */
  session(signal: AbortSignal): Promise<NatsSession | null> | NatsSession | null {
    if (this.#session || signal.aborted || this.#closed.signal.aborted) return this.#session;
    return new Promise(resolve => {
      const finish = () => {
        signal.removeEventListener("abort", finish);
        this.#waiting.delete(finish);
        resolve(this.#session);
      };
      signal.addEventListener("abort", finish, { once: true });
      this.#waiting.add(finish);
    });
  }

  /** Flushes and closes the connection for good. */
  async close(): Promise<void> {
    const session = this.#session;
    this.#closed.abort();
    if (session) {
      const flushed = session.client.flush().catch(() => {});
      await Promise.race([flushed, delay(FLUSH_TIMEOUT_MS, undefined, { ref: false })]);
    }
    this.#endSession();
    await this.#client?.close();
    await this.#running;
  }

  async #stayConnected(): Promise<void> {
    while (!this.#closed.signal.aborted) {
      const client = await this.#connect();
      if (!client) return;
      this.#client = client;
      this.#log.info(NATS_MESSAGES.connected(client.getServer()));
      this.#startSession(client);
      void this.#followStatus(client);
      // It closes by itself only if it can't recover.
      await client.closed();
      this.#endSession();
    }
  }

  async #followStatus(client: Client): Promise<void> {
    for await (const status of client.status()) this.#onStatus(client, status);
  }

  async #connect(): Promise<Client | null> {
    let lastReason = "";
    while (!this.#closed.signal.aborted) {
      try {
        const client = await connect(this.#options);
        if (!this.#closed.signal.aborted) return client;
        await client.close();
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (reason !== lastReason) this.#log.warn(NATS_MESSAGES.unreachable(this.#serverList, reason));
        lastReason = reason;
      }
      await delay(RECONNECT_DELAY_MS, undefined, { signal: this.#closed.signal }).catch(() => {});
    }
    return null;
  }

  #onStatus(client: Client, status: Status): void {
    if (status.type === Events.Disconnect) {
      this.#endSession();
      if (!this.#closed.signal.aborted) this.#log.warn(NATS_MESSAGES.lostAt(this.#serverList));
    } else if (status.type === Events.Reconnect) {
      this.#log.info(NATS_MESSAGES.back(client.getServer()));
      this.#startSession(client);
    } else if (status.type === Events.Error) {
      const { operation, subject } = status.permissionContext ?? {};
      const why = String(status.data);
      this.#warnOnce(subject ? NATS_MESSAGES.errorFor(operation, subject, why) : NATS_MESSAGES.error(why));
    } else if (status.type === DebugEvents.StaleConnection) {
      this.#log.warn(NATS_MESSAGES.stale(this.#serverList));
    }
  }

  /** Logs an error once: what NATS rejects, it rejects every time. */
  #warnOnce(message: string): void {
    if (this.#errors.has(message) || this.#errors.size >= MAX_LOGGED_ERRORS) return;
    this.#errors.add(message);
    this.#log.warn(message);
  }

  #startSession(client: Client): void {
    if (this.#closed.signal.aborted) return;
    this.#loss = new AbortController();
    this.#session = { client, inboxPrefix: this.#options.inboxPrefix, lost: this.#loss.signal };
    for (const finish of [...this.#waiting]) finish();
  }

  #endSession(): void {
    this.#session = null;
    this.#loss.abort();
    if (this.#closed.signal.aborted) for (const finish of [...this.#waiting]) finish();
  }
}
