import type { ServerResponse } from "node:http";
import { isEnded } from "../../../shared/contracts/runs/run-outcomes.ts";
import type { RunProgress } from "../../../shared/contracts/runs/runs.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { LIMIT_ERRORS } from "../texts.ts";

/** Faster than this no eye follows. */
const AT_MOST_EVERY_MS = 200;
/** Shorter than the idle time after which proxies hang up. */
const HEARTBEAT_MS = 15_000;
/** Runs that one key or person watches at once. */
const PER_ACTOR = 50;
/** A reader this far behind gets only the latest state once it has caught up. */
const BEHIND_BYTES = 64 * 1024;

/** After these the run is not the watcher's any more: who she is, her team, its deletion. */
const NO_MORE = new Set(["unauthorized", "forbidden", "not_found", "conflict"]);

/** What to watch, for whom, and how to read it once more in that one's name. */
interface Watched {
  runId: string;
  /** Whose stream it is. */
  actorId: string;
  /** The keys, people, sessions and teams by which it was opened: it ends when one of them changes. */
  openedBy: string[];
  /** Whether the stream stays open after the run's end, for what reviewers say then. */
  reviews: boolean;
  /** @throws what the request for it would answer */
  read(): Promise<RunProgress>;
}

interface Watcher extends Watched {
  res: ServerResponse;
  latest: RunProgress | null;
  pause: NodeJS.Timeout | null;
  heartbeat: NodeJS.Timeout;
  /** Counts what it was told. */
  told: number;
  reading: boolean;
  /** What was written last. */
  written: string;
}

/** The server-sent event streams of this node's clients. */
export class ProgressStreams {
  readonly #watchers = new Set<Watcher>();
  readonly #heartbeatMs: number;

  constructor(heartbeatMs = HEARTBEAT_MS) {
    this.#heartbeatMs = heartbeatMs;
  }

  /** Begins a stream; what is told of the run from now on goes there. @throws ServiceError rate_limited */
  watch(
    { runId, actorId, openedBy, reviews, read }: Watched,
    res: ServerResponse,
  ): (progress: RunProgress) => void {
    const own = [...this.#watchers].filter(watcher => watcher.actorId === actorId);
    if (own.length >= PER_ACTOR) {
      throw new ServiceError("rate_limited", LIMIT_ERRORS.runStreams(PER_ACTOR), {
        retryAfterSeconds: 10,
      });
    }
    const heartbeat = setInterval(() => {
      // Who went away before this began is told of by no event.
      if (res.destroyed) return this.#end(watcher);
      res.write(":\n\n");
      void this.#readAgain(watcher);
    }, this.#heartbeatMs);
    const state = { latest: null, pause: null, heartbeat, told: 0, reading: false, written: "" };
    const watcher: Watcher = { runId, actorId, openedBy, reviews, read, res, ...state };
    this.#watchers.add(watcher);
    res.once("close", () => this.#end(watcher));
    return progress => this.#send(watcher, progress);
  }

  /** Passes on how far a run is. */
  tell(progress: RunProgress): void {
    for (const watcher of this.#watchers) if (watcher.runId === progress.id) this.#send(watcher, progress);
  }

  /** Ends the streams that were opened by what is not what it was; whom they are open to still, opens them again. */
  forget(ids: string[]): void {
    for (const watcher of this.#watchers)
      if (watcher.openedBy.some(id => ids.includes(id))) this.#end(watcher);
  }

  close(): void {
    for (const watcher of this.#watchers) this.#end(watcher);
  }

  /** Makes up for what was told and got lost, the run's end and the key's first of all. */
  async #readAgain(watcher: Watcher): Promise<void> {
    if (watcher.reading) return;
    watcher.reading = true;
    const { told } = watcher;
    try {
      const progress = await watcher.read();
      // What was told meanwhile is newer, unless this is the end.
      const isNews = told === watcher.told && JSON.stringify(progress) !== watcher.written;
      if (isNews || isLast(watcher, progress)) this.#send(watcher, progress);
    } catch (error) {
      // Anything else may be over at the next heartbeat.
      if (error instanceof Error && "type" in error && NO_MORE.has(String(error.type))) this.#end(watcher);
    } finally {
      watcher.reading = false;
    }
  }

  #send(watcher: Watcher, progress: RunProgress): void {
    // The run's end may have come before the state that the stream was to begin with.
    if (!this.#watchers.has(watcher)) return;
    watcher.latest = progress;
    watcher.told += 1;
    if (isLast(watcher, progress)) {
      this.#write(watcher);
      this.#end(watcher);
    } else if (!watcher.pause) {
      this.#write(watcher);
      watcher.pause = setTimeout(() => {
        watcher.pause = null;
        this.#write(watcher);
      }, AT_MOST_EVERY_MS);
    }
  }

  #write(watcher: Watcher): void {
    const { res, latest } = watcher;
    if (!latest) return;
    const behind = res.writableLength > BEHIND_BYTES;
    if (behind && !isLast(watcher, latest)) return;
    watcher.latest = null;
    watcher.written = JSON.stringify(latest);
    res.write(`event: progress\ndata: ${watcher.written}\n\n`);
  }

  #end(watcher: Watcher): void {
    clearInterval(watcher.heartbeat);
    if (watcher.pause) clearTimeout(watcher.pause);
    this.#watchers.delete(watcher);
    watcher.res.end();
  }
}

/** Whether nothing is told after this. */
function isLast({ reviews }: Watched, { status }: RunProgress): boolean {
  return isEnded(status) && !reviews;
}
