import { setTimeout as delay } from "node:timers/promises";
import { Errors, Transporters } from "moleculer";
import type { ConnectionOptions, NatsConnection } from "nats";
import type { ContractRange } from "../contracts/contract-version.ts";
import { ServiceError } from "../errors.ts";
import { answerContracts, askContracts, isCoreId } from "./proven-contracts.ts";
import { NATS_MESSAGES } from "./texts.ts";

type Packet = Parameters<Transporters.Base["publish"]>[0];

/** Types of packets, as on the wire. */
const REQUEST = "REQ";
const RESPONSE = "RES";
/** Packets that are sent again once the bus is back. */
const STALE = new Set(["INFO", "HEARTBEAT", "DISCOVER", "PING", "PONG"]);
const ECHO_TIMEOUT_MS = 250;
const RETRY_DELAY_MS = 500;
const PING_INTERVAL_MS = 5_000;
/** One of this many failed attempts is logged: twice a minute. */
const ATTEMPTS_PER_LOG = 60;
/** For the last messages of a stopping node, if the server doesn't respond. */
const FLUSH_TIMEOUT_MS = 2_000;

/**
 * Moleculer's transporter for NATS. It also notices at once a lost connection and a dead node. It reports a
 * message that is too large to its caller, which Moleculer would only log.
 */
export class NatsTransporter extends Transporters.NATS {
  /** Whether messages reach the bus now. */
  online = false;
  #hasLeft = false;

  /** @param where servers and credentials: fields of the client's own options */
  constructor(where: Pick<ConnectionOptions, "servers" | "user" | "pass" | "token" | "tls" | "name">) {
    super({
      ...where,
      // Forever.
      maxReconnectAttempts: -1,
      reconnectTimeWait: RETRY_DELAY_MS,
      // The server may load accounts after its start.
      ignoreAuthErrorAbort: true,
      // A server that disappears silently is noticed after two missed pings.
      pingInterval: PING_INTERVAL_MS,
      maxPingOut: 2,
    });
  }

  /** Retries until it succeeds or the node stops. */
  override async connect(): Promise<void> {
    // A single node doesn't load it.
    const { connect } = await import("nats");
    for (let attempts = 0; !this.#hasLeft; attempts++) {
      try {
        this.client = await connect(this.opts);
        void this.#watch(this.client);
        return void (await this.onConnected());
      } catch (error) {
        const why = error instanceof Error ? error.message : error;
        if (attempts % ATTEMPTS_PER_LOG === 0) this.logger.warn(NATS_MESSAGES.unreachable(why));
        await delay(RETRY_DELAY_MS);
      }
    }
  }

  override onConnected(wasReconnect?: boolean): Promise<unknown> {
    this.online = true;
    return super.onConnected(wasReconnect);
  }

  override async makeSubscriptions(topics: Record<string, unknown>[]): Promise<void> {
    // Before other nodes hear of this one.
    if (isCoreId(this.nodeID))
      answerContracts(this.client, this.prefix, this.nodeID, () => this.broker.metadata.contracts);
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
        // A job can be requested with any reply subject. It arrives there despite the requester's
        // permissions.
        else if (message.subject === topic) void this.#receive(command, message.data);
      },
    });
  }

  /** Ignores a message that isn't Moleculer's. An error that is thrown here would end the connection. */
  async #receive(command: string, data: Uint8Array): Promise<void> {
    try {
      await this.receive(command, Buffer.from(data));
    } catch (error) {
      this.logger.warn(NATS_MESSAGES.unreadable(command), error);
    }
  }

  /**
   * @throws BrokerDisconnectedError for a request while the bus is down. If buffered, it would arrive after
   * its caller's timeout
   */
  override async prepublish(packet: Packet): Promise<void> {
    if (!this.online && STALE.has(packet.type)) return;
    try {
      if (!this.online && packet.type === REQUEST)
        throw new Errors.BrokerDisconnectedError(NATS_MESSAGES.lost);
      await super.prepublish(packet);
    } catch (error) {
      // Moleculer would otherwise wait forever for the response.
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
      const plainError = this.broker.errorRegenerator?.extractPlainError(tooLarge("answer"), packet.payload);
      await super.publish({
        ...packet,
        payload: { id, meta, success: false, data: null, error: plainError },
      });
    }
  }

  /** Asks a core node for its contracts. @returns null if no core node has this id */
  askContracts(nodeId: string): Promise<ContractRange | null> {
    return askContracts(this.client, this.prefix, nodeId, this.broker);
  }

  /** Sends a request with a reply subject, so that the server reports if it has no receiver. */
  override async send(topic: string, data: Buffer, { packet }: { packet?: Packet } = {}): Promise<void> {
    const reply =
      packet?.type === REQUEST ? { reply: `${this.#noResponderSubject}.${packet.payload.id}` } : {};
    this.client?.publish(topic, data, reply);
  }

  /** Subject of the server's "no responders" replies. */
  get #noResponderSubject(): string {
    return `${this.prefix}.NOBODY.${this.nodeID}`;
  }

  /**
   * Drops a node that doesn't receive a request: it died. Its missing heartbeats would show that much later.
   */
  #dropNode(requestId: string): void {
    const request = this.transit.pendingRequests.get(requestId);
    if (!request) return;
    const { nodeID, ctx } = request;
    this.transit.removePendingRequest(requestId);
    request.reject(new Errors.ServiceNotAvailableError({ action: ctx.action?.name ?? "", nodeID }));
    // Later, because pending requests to the same node get this reply too. It says more than a disconnected
    // node.
    setTimeout(() => this.transit.discoverer.remoteNodeDisconnected(nodeID, true), ECHO_TIMEOUT_MS).unref();
  }

  async #watch(client: NatsConnection): Promise<void> {
    for await (const { type } of client.status()) {
      if (type === "disconnect") {
        if (this.online && !this.#hasLeft) this.logger.warn(NATS_MESSAGES.reconnecting);
        this.online = false;
      } else if (type === "reconnect") {
        this.logger.warn(NATS_MESSAGES.back);
        // This node and the others dropped each other.
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
