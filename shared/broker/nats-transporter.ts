import { setTimeout as delay } from "node:timers/promises";
import { Errors, Transporters } from "moleculer";
import type { ConnectionOptions, NatsConnection } from "nats";
import { ServiceError } from "../errors.ts";
import { NATS_MESSAGES } from "./texts.ts";

type Packet = Parameters<Transporters.Base["publish"]>[0];

/** Types of packets, as they are on the wire. */
const REQUEST = "REQ";
const RESPONSE = "RES";
/** What these say is told anew once the bus is back. */
const STALE = new Set(["INFO", "HEARTBEAT", "DISCOVER", "PING", "PONG"]);
const ECHO_TIMEOUT_MS = 250;
const RETRY_DELAY_MS = 500;
const PING_INTERVAL_MS = 5_000;
/** One in so many is told in the log: twice a minute. */
const ATTEMPTS_PER_LOG = 60;
/** For the last words of a node that leaves, when the server does not answer. */
const FLUSH_TIMEOUT_MS = 2_000;

/**
 * Moleculer's transporter for NATS, which also notices at once that the connection is lost or back and that a node is
 * gone, and tells whoever asked that a message was too large, where it would else only be logged.
 */
export class NatsTransporter extends Transporters.NATS {
  /** Whether messages reach the bus now. */
  online = false;
  #hasLeft = false;

  /** @param where the servers, and who asks: fields of the client's own options */
  constructor(where: Pick<ConnectionOptions, "servers" | "user" | "pass" | "token" | "tls" | "name">) {
    super({
      ...where,
      // For ever.
      maxReconnectAttempts: -1,
      reconnectTimeWait: RETRY_DELAY_MS,
      // Accounts may be read in later than the server starts.
      ignoreAuthErrorAbort: true,
      // A server that is gone without a word is noticed after two of these.
      pingInterval: PING_INTERVAL_MS,
      maxPingOut: 2,
    });
  }

  /** Tries for as long as it takes, unless the node leaves meanwhile. */
  override async connect(): Promise<void> {
    // Not loaded by a node that is alone.
    const { connect } = await import("nats");
    for (let tries = 0; !this.#hasLeft; tries++) {
      try {
        this.client = await connect(this.opts);
        void this.#watch(this.client);
        return void (await this.onConnected());
      } catch (error) {
        const why = error instanceof Error ? error.message : error;
        if (tries % ATTEMPTS_PER_LOG === 0) this.logger.warn(NATS_MESSAGES.unreachable(why));
        await delay(RETRY_DELAY_MS);
      }
    }
  }

  override onConnected(wasReconnect?: boolean): Promise<unknown> {
    this.online = true;
    return super.onConnected(wasReconnect);
  }

  override async makeSubscriptions(topics: Record<string, unknown>[]): Promise<void> {
    await super.makeSubscriptions(topics);
    this.client.subscribe(`${this.#noResponderSubject}.*`, {
      callback: (error: Error | null, { subject }: { subject: string }) => {
        if (!error) this.#dropNode(subject.slice(this.#noResponderSubject.length + 1));
      },
    });
  }

  override async disconnect(): Promise<void> {
    this.#hasLeft = true;
    const client: NatsConnection | null = this.client;
    if (!client) return;
    const flushed = this.online ? client.flush().catch(() => {}) : undefined;
    await Promise.race([flushed, delay(FLUSH_TIMEOUT_MS, undefined, { ref: false })]);
    await client.close();
    this.client = null;
  }

  override async subscribe(command: string, nodeId?: string): Promise<void> {
    const topic = this.getTopicName(command, nodeId);
    this.client.subscribe(topic, {
      callback: (error: Error | null, message: { data: Uint8Array; subject: string }) => {
        if (error) this.logger.error(NATS_MESSAGES.rejected(error.message));
        // A job may be asked for in the name of any subject, and comes there past the permissions of who asked.
        else if (message.subject === topic) void this.receive(command, Buffer.from(message.data));
      },
    });
  }

  /** @throws BrokerDisconnectedError for a request while the bus is away: kept for later, it would come when nobody waits for it. */
  override async prepublish(packet: Packet): Promise<void> {
    if (!this.online && STALE.has(packet.type)) return;
    try {
      if (!this.online && packet.type === REQUEST)
        throw new Errors.BrokerDisconnectedError(NATS_MESSAGES.lost);
      await super.prepublish(packet);
    } catch (error) {
      // Moleculer would remember for ever that it waits for an answer to this.
      if (packet.type === REQUEST) this.transit.removePendingRequest(packet.payload.id);
      throw isTooLarge(error) ? tooLarge("request") : error;
    }
  }

  override async publish(packet: Packet): Promise<void> {
    try {
      await super.publish(packet);
    } catch (error) {
      if (packet.type !== RESPONSE || !isTooLarge(error)) throw error;
      const { id, meta } = packet.payload;
      const told = this.broker.errorRegenerator?.extractPlainError(tooLarge("answer"), packet.payload);
      await super.publish({ ...packet, payload: { id, meta, success: false, data: null, error: told } });
    }
  }

  /** Sends a request so that the server itself answers when nobody is there to hear it. */
  override async send(topic: string, data: Buffer, { packet }: { packet?: Packet } = {}): Promise<void> {
    const reply =
      packet?.type === REQUEST ? { reply: `${this.#noResponderSubject}.${packet.payload.id}` } : {};
    this.client?.publish(topic, data, reply);
  }

  /** Where the server says so. */
  get #noResponderSubject(): string {
    return `${this.prefix}.NOBODY.${this.nodeID}`;
  }

  /** Takes a node for gone that does not hear a request: it died, and its heartbeats would be missed much later. */
  #dropNode(requestId: string): void {
    const request = this.transit.pendingRequests.get(requestId);
    if (!request) return;
    const { nodeID, ctx } = request;
    this.transit.removePendingRequest(requestId);
    request.reject(new Errors.ServiceNotAvailableError({ action: ctx.action?.name ?? "", nodeID }));
    // Not at once: what else was sent to it has an answer of this kind on its way, which says more than that it is gone.
    setTimeout(() => this.transit.discoverer.remoteNodeDisconnected(nodeID, true), ECHO_TIMEOUT_MS).unref();
  }

  async #watch(client: NatsConnection): Promise<void> {
    for await (const { type } of client.status()) {
      if (type === "disconnect") {
        if (this.online && !this.#hasLeft) this.logger.warn(NATS_MESSAGES.reconnecting);
        this.online = false;
      } else if (type === "reconnect") {
        this.logger.warn(NATS_MESSAGES.back);
        // Others took this node for gone, and it them.
        await this.onConnected(true).catch(error => this.logger.error(error));
      }
    }
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "MAX_PAYLOAD_EXCEEDED";
}

function tooLarge(what: "request" | "answer"): ServiceError {
  if (what === "request") return new ServiceError("payload_too_large", NATS_MESSAGES.requestTooLarge);
  return new ServiceError("internal", NATS_MESSAGES.answerTooLarge);
}
