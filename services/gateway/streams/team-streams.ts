import type { ServerResponse } from "node:http";
import type { LiveChange, LiveKind } from "../../../shared/contracts/teams/live.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { LIMIT_ERRORS } from "../texts.ts";

/** Who is told reads again: more often would cost more than it shows. */
const AT_MOST_EVERY_MS = 1_000;
/** Shorter than the idle time after which proxies hang up. */
const HEARTBEAT_MS = 15_000;
/** Pages that one key or person has open at once, and all of a team. */
const PER_ACTOR = 50;
const PER_TEAM = 500;
/** Named in one event; of more it is said that it is more. */
const IDS_AT_MOST = 50;
/** A reader so far behind at a heartbeat reads nothing. */
const BEHIND_BYTES = 64 * 1024;

/** After these the stream is not the reader's any more: who she is, her team, its deletion. */
const NO_MORE = new Set(["unauthorized", "forbidden", "not_found", "conflict"]);

/** Who listens, to which team. */
interface Listening {
  teamId: string;
  actorId: string;
  /** The keys, people, sessions and teams by which it was opened: it ends when one of them changes. */
  openedBy: string[];
  /** @throws what a request for it would be answered */
  check(): Promise<void>;
}

/** What there is to tell of one kind; ids are null where they are too many. */
interface Waiting {
  ids: Set<string> | null;
  pause: NodeJS.Timeout | null;
}

interface Stream extends Listening {
  res: ServerResponse;
  heartbeat: NodeJS.Timeout;
  isChecking: boolean;
  waiting: Map<LiveKind, Waiting>;
}

/** Tells this node's clients that something of their team changed: which, and not what; a second apart at least. */
export class TeamStreams {
  readonly #streams = new Map<string, Set<Stream>>();
  readonly #heartbeatMs: number;
  readonly #everyMs: number;

  constructor({ heartbeatMs = HEARTBEAT_MS, everyMs = AT_MOST_EVERY_MS } = {}) {
    this.#heartbeatMs = heartbeatMs;
    this.#everyMs = everyMs;
  }

  /** Begins a stream: what is told from now on goes there. @throws ServiceError rate_limited */
  listen(listening: Listening, res: ServerResponse): void {
    const { teamId, actorId } = listening;
    const ofTeam = this.#streams.get(teamId) ?? new Set<Stream>();
    const own = [...ofTeam].filter(stream => stream.actorId === actorId);
    if (own.length >= PER_ACTOR || ofTeam.size >= PER_TEAM) {
      const message = LIMIT_ERRORS.teamStreams(PER_ACTOR, PER_TEAM);
      throw new ServiceError("rate_limited", message, { retryAfterSeconds: 10 });
    }
    const heartbeat = setInterval(() => this.#beat(stream), this.#heartbeatMs);
    const stream: Stream = { ...listening, res, heartbeat, isChecking: false, waiting: new Map() };
    this.#streams.set(teamId, ofTeam.add(stream));
    res.once("close", () => this.#end(stream));
  }

  /** Tells a team that these changed; null for any of the kind. */
  tell(kind: LiveKind, teamId: string, ids: readonly string[] | null): void {
    for (const stream of this.#streams.get(teamId) ?? []) this.#add(stream, kind, ids);
  }

  /** Ends the streams that were opened by what is not what it was; who may still listen, opens it again. */
  forget(ids: string[]): void {
    for (const stream of this.#all()) if (stream.openedBy.some(id => ids.includes(id))) this.#end(stream);
  }

  close(): void {
    for (const stream of this.#all()) this.#end(stream);
  }

  #all(): Stream[] {
    return [...this.#streams.values()].flatMap(ofTeam => [...ofTeam]);
  }

  #add(stream: Stream, kind: LiveKind, ids: readonly string[] | null): void {
    const waiting = stream.waiting.get(kind) ?? { ids: new Set<string>(), pause: null };
    stream.waiting.set(kind, waiting);
    if (ids === null) waiting.ids = null;
    for (const id of ids ?? []) waiting.ids?.add(id);
    if (waiting.ids && waiting.ids.size > IDS_AT_MOST) waiting.ids = null;
    if (!waiting.pause) this.#write(stream, kind, waiting);
  }

  #write(stream: Stream, kind: LiveKind, waiting: Waiting): void {
    const nudge: LiveChange = { ids: waiting.ids && [...waiting.ids] };
    waiting.ids = new Set();
    stream.res.write(`event: ${kind}\ndata: ${JSON.stringify(nudge)}\n\n`);
    waiting.pause = setTimeout(() => {
      waiting.pause = null;
      if (waiting.ids?.size !== 0) this.#write(stream, kind, waiting);
    }, this.#everyMs);
  }

  #beat(stream: Stream): void {
    // What it has not read would pile up for ever.
    if (stream.res.destroyed || stream.res.writableLength > BEHIND_BYTES) {
      stream.res.destroy();
      this.#end(stream);
      return;
    }
    stream.res.write(":\n\n");
    void this.#checkAgain(stream);
  }

  /** Makes up for a change of what the reader may do of which this node was not told. */
  async #checkAgain(stream: Stream): Promise<void> {
    if (stream.isChecking) return;
    stream.isChecking = true;
    try {
      await stream.check();
    } catch (error) {
      // Anything else may be over at the next heartbeat.
      if (error instanceof Error && "type" in error && NO_MORE.has(String(error.type))) this.#end(stream);
    } finally {
      stream.isChecking = false;
    }
  }

  #end(stream: Stream): void {
    clearInterval(stream.heartbeat);
    for (const { pause } of stream.waiting.values()) if (pause) clearTimeout(pause);
    const ofTeam = this.#streams.get(stream.teamId);
    ofTeam?.delete(stream);
    if (ofTeam?.size === 0) this.#streams.delete(stream.teamId);
    stream.res.end();
  }
}
