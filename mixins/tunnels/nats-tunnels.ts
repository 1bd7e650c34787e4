import { ErrorCode, type Msg, NatsError, type Subscription } from "nats";
import { z } from "zod";
import {
  MAX_CHUNK_BYTES,
  type TunnelAnswer,
  type TunnelBus,
  type TunnelRequest,
} from "../../shared/contracts/runs/tunnels.ts";
import { type Log, NatsConnection, type NatsSession } from "../queue/nats-connection.ts";
import { NATS_MESSAGES } from "../texts.ts";
import { decodeParts, encodeParts } from "./message-parts.ts";

/** Renderers may publish here, and receive only answers. docs/guides/run-a-fleet.md has their permissions. */
const SUBJECT = "vrs.tunnel";
/** Longer than the gateway waits for the application. Nobody answers for a gateway that has just died. */
const ANSWER_TIMEOUT_MS = 12_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Start of every user's inbox. */
const INBOX = "_INBOX";

const stream = z.string();
const data = z.instanceof(Buffer).refine(bytes => bytes.length <= MAX_CHUNK_BYTES);
const requestSchema = z.discriminatedUnion("op", [
  z.object({ op: z.enum(["open", "check"]) }),
  z.object({ op: z.literal("read"), stream }),
  z.object({ op: z.literal("write"), stream, data }),
  z.object({ op: z.literal("end"), stream }),
  z.object({ op: z.literal("close"), stream }),
]);
const answerSchema = z.discriminatedUnion("is", [
  z.object({ is: z.literal("opened"), stream, session: z.string() }),
  z.object({ is: z.literal("alive"), session: z.string() }),
  z.object({ is: z.literal("data"), data }),
  z.object({ is: z.enum(["idle", "done", "ended", "refused", "busy", "lost"]) }),
]);

type Handler = (request: TunnelRequest) => Promise<TunnelAnswer>;

/**
 * The tunnels of a fleet. The gateway that holds a tunnel subscribes to a subject with its key, so that renderers find
 * it wherever it is.
 */
export class NatsTunnels implements TunnelBus {
  readonly #connection: NatsConnection;
  readonly #log: Log;
  readonly #handlers = new Map<string, Handler>();
  readonly #subscriptions = new Map<string, Subscription>();

  /** @param name the connection's name in the server's monitoring */
  constructor(addresses: readonly string[], name: string, log: Log) {
    this.#log = log;
    this.#connection = new NatsConnection(addresses, name, log);
  }

  async serve(key: string, handle: Handler): Promise<() => void> {
    this.#handlers.set(key, handle);
    const stop = () => {
      if (this.#handlers.get(key) !== handle) return;
      this.#handlers.delete(key);
      this.#subscriptions.get(key)?.unsubscribe();
      this.#subscriptions.delete(key);
    };
    try {
      const { client } = await this.#session();
      if (this.#handlers.get(key) === handle) this.#subscribe(client, key);
    } catch (error) {
      stop();
      throw error;
    }
    // The client subscribes again by itself after a lost connection.
    return stop;
  }

  async request(key: string, request: TunnelRequest): Promise<TunnelAnswer | null> {
    const { client } = await this.#session();
    try {
      const { data } = await client.request(`${SUBJECT}.${key}`, encodeParts(request), {
        timeout: ANSWER_TIMEOUT_MS,
      });
      return answerSchema.parse(decodeParts(data));
    } catch (error) {
      if (error instanceof NatsError && error.code === ErrorCode.NoResponders) return null;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#handlers.clear();
    await this.#connection.close();
  }

  async #session(): Promise<NatsSession> {
    this.#connection.open();
    const session = await this.#connection.session(AbortSignal.timeout(CONNECT_TIMEOUT_MS));
    if (!session) throw new Error(NATS_MESSAGES.notConnected);
    return session;
  }

  #subscribe(client: NatsSession["client"], key: string): void {
    this.#subscriptions.get(key)?.unsubscribe();
    const callback = (error: Error | null, message: Msg) => {
      if (!error) this.#answer(key, message).catch(failure => this.#log.warn(String(failure)));
    };
    this.#subscriptions.set(key, client.subscribe(`${SUBJECT}.${key}`, { callback }));
  }

  /** Answers a request. Renderers load untrusted pages, so an invalid one is dropped. */
  async #answer(key: string, message: Msg): Promise<void> {
    const request = requestSchema.safeParse(decodeParts(message.data));
    const handle = this.#handlers.get(key);
    // With any other reply subject, a renderer could send the answer to places where it may not publish.
    if (!request.success || !handle || !message.reply?.startsWith(INBOX)) return;
    message.respond(encodeParts(await handle(request.data)));
  }
}
