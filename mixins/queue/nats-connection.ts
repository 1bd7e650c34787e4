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

const CONNECT_WITHIN_MS = 5_000;
const RECONNECT_AFTER_MS = 500;
/** A server that hangs or is cut off is noticed after two of these. */
const PING_EVERY_MS = 5_000;
/** What was sent last is with the server, or will not get there. */
const FLUSH_WITHIN_MS = 1_000;
/** Different ones, in the life of a node. */
const ERRORS_TOLD = 100;

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
  readonly #where: string;
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
    this.#where = servers.servers.join(", ");
    this.#log = log;
    this.#options = {
      ...servers,
      name,
      timeout: CONNECT_WITHIN_MS,
      reconnectTimeWait: RECONNECT_AFTER_MS,
      maxReconnectAttempts: -1,
      // A server whose users are being changed refuses for a moment.
      ignoreAuthErrorAbort: true,
      pingInterval: PING_EVERY_MS,
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
      const settle = () => {
        signal.removeEventListener("abort", settle);
        this.#waiting.delete(settle);
        resolve(this.#session);
      };
      signal.addEventListener("abort", settle, { once: true });
      this.#waiting.add(settle);
    });
  }

  /** Sends what is on its way and closes, for good. */
  async close(): Promise<void> {
    const session = this.#session;
    this.#closed.abort();
    if (session) {
      const flushed = session.client.flush().catch(() => {});
      await Promise.race([flushed, delay(FLUSH_WITHIN_MS, undefined, { ref: false })]);
    }
    this.#lose();
    await this.#client?.close();
    await this.#running;
  }

  async #stayConnected(): Promise<void> {
    while (!this.#closed.signal.aborted) {
      const client = await this.#connect();
      if (!client) return;
      this.#client = client;
      this.#log.info(NATS_MESSAGES.connected(client.getServer()));
      this.#gain(client);
      void this.#follow(client);
      // It closes by itself only where it cannot go on.
      await client.closed();
      this.#lose();
    }
  }

  async #follow(client: Client): Promise<void> {
    for await (const status of client.status()) this.#onStatus(client, status);
  }

  async #connect(): Promise<Client | null> {
    let said = "";
    while (!this.#closed.signal.aborted) {
      try {
        const client = await connect(this.#options);
        if (!this.#closed.signal.aborted) return client;
        await client.close();
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (reason !== said) this.#log.warn(NATS_MESSAGES.unreachable(this.#where, reason));
        said = reason;
      }
      await delay(RECONNECT_AFTER_MS, undefined, { signal: this.#closed.signal }).catch(() => {});
    }
    return null;
  }

  #onStatus(client: Client, status: Status): void {
    if (status.type === Events.Disconnect) {
      this.#lose();
      if (!this.#closed.signal.aborted) this.#log.warn(NATS_MESSAGES.lostAt(this.#where));
    } else if (status.type === Events.Reconnect) {
      this.#log.info(NATS_MESSAGES.back(client.getServer()));
      this.#gain(client);
    } else if (status.type === Events.Error) {
      const { operation, subject } = status.permissionContext ?? {};
      const why = String(status.data);
      this.#warnOnce(subject ? NATS_MESSAGES.errorFor(operation, subject, why) : NATS_MESSAGES.error(why));
    } else if (status.type === DebugEvents.StaleConnection) {
      this.#log.warn(NATS_MESSAGES.stale(this.#where));
    }
  }

  /** What NATS refuses it refuses every time. */
  #warnOnce(message: string): void {
    if (this.#errors.has(message) || this.#errors.size >= ERRORS_TOLD) return;
    this.#errors.add(message);
    this.#log.warn(message);
  }

  #gain(client: Client): void {
    if (this.#closed.signal.aborted) return;
    this.#loss = new AbortController();
    this.#session = { client, inboxPrefix: this.#options.inboxPrefix, lost: this.#loss.signal };
    for (const settle of [...this.#waiting]) settle();
  }

  #lose(): void {
    this.#session = null;
    this.#loss.abort();
    if (this.#closed.signal.aborted) for (const settle of [...this.#waiting]) settle();
  }
}
