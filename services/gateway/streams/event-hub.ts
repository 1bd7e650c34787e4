import type { ServerResponse } from "node:http";
import { ServiceError } from "../../../shared/errors.ts";

/** Shorter than the idle timeout of proxies. */
const HEARTBEAT_INTERVAL_MS = 15_000;
const RETRY_AFTER_SECONDS = 10;
const COMMENT = ":\n\n";

/** Errors after which the reader has lost access: signed out, removed from the team, or something was deleted. */
const ACCESS_ERRORS = new Set(["unauthorized", "forbidden", "not_found", "conflict"]);

/** What a reader subscribes to. */
export interface Subscription {
  /** Id of the run or team. */
  topic: string;
  /** The reader, for the limit of streams. */
  readerId: string;
  /** Keys, users, sessions and teams that give access. The stream ends when one of them changes. */
  openedBy: readonly string[];
  /**
   * Checks the access at each heartbeat, and makes up for lost events.
   * @throws the error that a request for the stream would get
   */
  refresh(): Promise<void>;
}

/** Limits of a hub. */
export interface HubOptions {
  maxPerReader: number;
  maxPerTopic?: number;
  /** Message of the error for a reader over a limit. */
  limitMessage: string;
  /** A reader with more unread bytes at a heartbeat is disconnected, because they would grow without bound. */
  maxUnreadBytes?: number;
  heartbeatMs?: number;
}

/** Sets the headers of a stream of server-sent events. */
export function setEventStreamHeaders(res: ServerResponse): void {
  res.setHeader("Content-Type", "text/event-stream; charset=utf-8");
  res.setHeader("Cache-Control", "no-store");
  // Without it, nginx buffers the events.
  res.setHeader("X-Accel-Buffering", "no");
}

/** Starts a stream for a reader that waits for its first bytes to know that it misses nothing from now on. */
export function startEventStream(res: ServerResponse): void {
  res.write(COMMENT);
}

/** A stream of server-sent events to one reader, with the state that its events come from. */
export class EventStream<State> {
  readonly subscription: Subscription;
  readonly state: State;
  isOpen = true;
  readonly #res: ServerResponse;
  readonly #pauses = new Map<string, NodeJS.Timeout>();
  readonly #heartbeat: NodeJS.Timeout;
  readonly #onEnd: (stream: EventStream<State>) => void;
  #isRefreshing = false;

  constructor(
    subscription: Subscription,
    state: State,
    res: ServerResponse,
    { heartbeatMs = HEARTBEAT_INTERVAL_MS, maxUnreadBytes = Number.POSITIVE_INFINITY }: HubOptions,
    onEnd: (stream: EventStream<State>) => void,
  ) {
    this.subscription = subscription;
    this.state = state;
    this.#res = res;
    this.#onEnd = onEnd;
    this.#heartbeat = setInterval(() => this.#beat(maxUnreadBytes), heartbeatMs);
    res.once("close", () => this.end());
  }

  /** Bytes that the reader has not read yet. */
  get unreadBytes(): number {
    return this.#res.writableLength;
  }

  send(event: string, data: string): void {
    if (this.isOpen) this.#res.write(`event: ${event}\ndata: ${data}\n\n`);
  }

  /**
   * Sends an event now, or at the end of the pause after the last one of its kind.
   * @param take returns the data, and forgets it. Null if there is none
   */
  sendThrottled(event: string, intervalMs: number, take: () => string | null): void {
    if (!this.isOpen || this.#pauses.has(event)) return;
    const data = take();
    if (data === null) return;
    this.send(event, data);
    const pause = setTimeout(() => {
      this.#pauses.delete(event);
      this.sendThrottled(event, intervalMs, take);
    }, intervalMs);
    this.#pauses.set(event, pause);
  }

  end(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    clearInterval(this.#heartbeat);
    for (const pause of this.#pauses.values()) clearTimeout(pause);
    this.#onEnd(this);
    this.#res.end();
  }

  #beat(maxUnreadBytes: number): void {
    // A response that closed before the stream started has no further close event.
    if (this.#res.destroyed || this.unreadBytes > maxUnreadBytes) {
      this.#res.destroy();
      this.end();
      return;
    }
    this.#res.write(COMMENT);
    void this.#refresh();
  }

  async #refresh(): Promise<void> {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    try {
      await this.subscription.refresh();
    } catch (error) {
      // The next heartbeat retries after any other error.
      if (error instanceof Error && "type" in error && ACCESS_ERRORS.has(String(error.type))) this.end();
    } finally {
      this.#isRefreshing = false;
    }
  }
}

/** The streams of server-sent events of this node's readers, by topic. */
export class EventHub<State> {
  readonly #options: HubOptions;
  readonly #streams = new Map<string, Set<EventStream<State>>>();
  readonly #perReader = new Map<string, number>();

  constructor(options: HubOptions) {
    this.#options = options;
  }

  /** Opens a stream. @throws ServiceError rate_limited */
  open(subscription: Subscription, state: State, res: ServerResponse): EventStream<State> {
    const { topic, readerId } = subscription;
    const { maxPerReader, maxPerTopic = Number.POSITIVE_INFINITY, limitMessage } = this.#options;
    const ofTopic = this.#streams.get(topic) ?? new Set();
    const ofReader = this.#perReader.get(readerId) ?? 0;
    if (ofReader >= maxPerReader || ofTopic.size >= maxPerTopic)
      throw new ServiceError("rate_limited", limitMessage, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    const stream = new EventStream(subscription, state, res, this.#options, ended => this.#remove(ended));
    this.#streams.set(topic, ofTopic.add(stream));
    this.#perReader.set(readerId, ofReader + 1);
    return stream;
  }

  /** Returns the open streams of a topic. */
  streamsOf(topic: string): EventStream<State>[] {
    return [...(this.#streams.get(topic) ?? [])];
  }

  /** Ends the streams that one of these keys, users, sessions or teams opened. Readers with access open them again. */
  endOpenedBy(ids: readonly string[]): void {
    for (const stream of this.#all())
      if (stream.subscription.openedBy.some(id => ids.includes(id))) stream.end();
  }

  close(): void {
    for (const stream of this.#all()) stream.end();
  }

  #all(): EventStream<State>[] {
    return [...this.#streams.values()].flatMap(ofTopic => [...ofTopic]);
  }

  #remove(stream: EventStream<State>): void {
    const { topic, readerId } = stream.subscription;
    const ofTopic = this.#streams.get(topic);
    ofTopic?.delete(stream);
    if (ofTopic?.size === 0) this.#streams.delete(topic);
    const left = (this.#perReader.get(readerId) ?? 1) - 1;
    if (left > 0) this.#perReader.set(readerId, left);
    else this.#perReader.delete(readerId);
  }
}
