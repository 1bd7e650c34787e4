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
/** A server that hangs or is cut off is noticed after two of these. */
const PING_INTERVAL_MS = 5_000;
/** What was sent last is with the server, or will not get there. */
const FLUSH_TIMEOUT_MS = 1_000;
/** Different ones, in the life of a node. */
const MAX_LOGGED_ERRORS = 100;

/** What the connection has to say to the operator. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
}

/** A time without interruption: what was asked in it can be answered in it only. */
export interface NatsSession {
  client: Client;
  /** What stands before the subject of every answer. */
  inboxPrefix: string;
  /** Aborted when the connection is lost. */
  lost: AbortSignal;
}

/** What was asked in a session. @throws Error as soon as the session is over: no answer comes after */
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

/** A node's connection to NATS: made when the server comes, made again whenever it is lost. */
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

  /** @param name how the server's monitoring calls this node */
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
      // A server whose users are being changed refuses for a moment.
      ignoreAuthErrorAbort: true,
      pingInterval: PING_INTERVAL_MS,
      maxPingOut: 2,
      noAsyncTraces: true,
    };
  }

  /** Begins to connect, once; who needs the connection waits for `session`. */
  open(): void {
    this.#running ??= this.#stayConnected();
  }

  /** The connection, once there is one; null when the signal aborts before, or after `close`. */
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

  /** Sends what is on its way and closes, for good. */
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
      // It closes by itself only where it cannot go on.
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

  /** What NATS refuses it refuses every time. */
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
