import type { ServerResponse } from "node:http";
import { isEnded } from "../../../shared/contracts/runs/run-outcomes.ts";
import type { RunProgress } from "../../../shared/contracts/runs/runs.ts";

import { LIMIT_ERRORS } from "../texts/errors.ts";
import { EventHub, type EventStream } from "./event-hub.ts";

/** People can't follow faster updates. */
const INTERVAL_MS = 200;
/** Run streams that one key or user has open at a time. */
const MAX_PER_ACTOR = 50;
/** A reader with more unread bytes gets only the latest state once it has caught up. */
const MAX_UNREAD_BYTES = 64 * 1024;

/** The run to stream, and its reader. */
interface WatchedRun {
  runId: string;
  actorId: string;
  /** Keys, users, sessions and teams that give access. The stream ends when one of them changes. */
  openedBy: string[];
  /** Whether the stream stays open after the run's end, for its reviews. */
  reviews: boolean;
  /** Reads the state as the reader. @throws the error that a request for it would get */
  read(): Promise<RunProgress>;
}

interface RunState {
  reviews: boolean;
  /** The latest state that was not sent yet. */
  latest: RunProgress | null;
  /** Number of states received. */
  received: number;
  /** The state that was sent last, as JSON. */
  sent: string;
}

type RunStream = EventStream<RunState>;

/** Streams of a run's progress to this node's readers. */
export class ProgressStreams {
  readonly #hub: EventHub<RunState>;

  constructor(heartbeatMs?: number) {
    this.#hub = new EventHub({
      maxPerReader: MAX_PER_ACTOR,
      limitMessage: LIMIT_ERRORS.runStreams(MAX_PER_ACTOR),
      ...(heartbeatMs !== undefined && { heartbeatMs }),
    });
  }

  /** Opens a stream of what is published from now on. @returns a function that sends a state @throws ServiceError rate_limited */
  open(
    { runId, actorId, openedBy, reviews, read }: WatchedRun,
    res: ServerResponse,
  ): (progress: RunProgress) => void {
    const refresh = () => this.#refresh(stream, read);
    const state = { reviews, latest: null, received: 0, sent: "" };
    const subscription = { topic: runId, readerId: actorId, openedBy, refresh };
    const stream: RunStream = this.#hub.open(subscription, state, res);
    return progress => send(stream, progress);
  }

  /** Publishes a run's progress to its streams. */
  publish(progress: RunProgress): void {
    for (const stream of this.#hub.streamsOf(progress.id)) send(stream, progress);
  }

  /** Ends the streams that one of these keys, users, sessions or teams opened. Readers with access open them again. */
  endOpenedBy(ids: string[]): void {
    this.#hub.endOpenedBy(ids);
  }

  close(): void {
    this.#hub.close();
  }

  /** Makes up for lost events, such as the run's end or a revoked key. */
  async #refresh(stream: RunStream, read: () => Promise<RunProgress>): Promise<void> {
    const { state } = stream;
    const { received } = state;
    const progress = await read();
    // A state that was published meanwhile is newer, unless this one is the last.
    const isNew = received === state.received && JSON.stringify(progress) !== state.sent;
    if (isNew || isLast(state, progress)) send(stream, progress);
  }
}

function send(stream: RunStream, progress: RunProgress): void {
  // The run's end may be published before the first state of the stream is read.
  if (!stream.isOpen) return;
  const { state } = stream;
  state.latest = progress;
  state.received += 1;
  if (isLast(state, progress)) {
    stream.send("progress", takeLatest(state) ?? "");
    stream.end();
    return;
  }
  const take = () => (stream.unreadBytes > MAX_UNREAD_BYTES ? null : takeLatest(state));
  stream.sendThrottled("progress", INTERVAL_MS, take);
}

function takeLatest(state: RunState): string | null {
  if (!state.latest) return null;
  state.sent = JSON.stringify(state.latest);
  state.latest = null;
  return state.sent;
}

/** Returns whether the stream ends after this state. */
function isLast({ reviews }: RunState, { status }: RunProgress): boolean {
  return isEnded(status) && !reviews;
}
