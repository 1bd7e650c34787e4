import type { ServerResponse } from "node:http";
import type { LiveChange, LiveKind } from "../../../shared/contracts/teams/live.ts";
import { LIMIT_ERRORS } from "../texts/errors.ts";
import { EventHub, type EventStream } from "./event-hub.ts";

/** Readers read the changed data again. More often would cost more than it shows. */
const INTERVAL_MS = 1_000;
/** Streams that one key or user, and one team, have open at a time. */
const MAX_PER_ACTOR = 50;
const MAX_PER_TEAM = 500;
/** Ids in one event. With more changes, the event has none. */
const MAX_IDS = 50;
/** A reader with more unread bytes at a heartbeat is not reading. */
const MAX_UNREAD_BYTES = 64 * 1024;

/** The team to stream, and its reader. */
interface WatchedTeam {
  teamId: string;
  actorId: string;
  /** Keys, users, sessions and teams that give access. The stream ends when one of them changes. */
  openedBy: string[];
  /** Checks the reader's access. @throws the error that a request would get */
  check(): Promise<void>;
}

/** Ids of changes that were not sent yet, by kind. Null if there are too many. */
type TeamState = Map<LiveKind, Set<string> | null>;

/** Streams the ids of a team's changed runs and monitors to this node's readers. */
export class TeamStreams {
  readonly #hub: EventHub<TeamState>;
  readonly #intervalMs: number;

  constructor({ heartbeatMs, intervalMs = INTERVAL_MS }: { heartbeatMs?: number; intervalMs?: number } = {}) {
    this.#intervalMs = intervalMs;
    this.#hub = new EventHub({
      maxPerReader: MAX_PER_ACTOR,
      maxPerTopic: MAX_PER_TEAM,
      limitMessage: LIMIT_ERRORS.teamStreams(MAX_PER_ACTOR, MAX_PER_TEAM),
      maxUnreadBytes: MAX_UNREAD_BYTES,
      ...(heartbeatMs !== undefined && { heartbeatMs }),
    });
  }

  /** Opens a stream of what is published from now on. @throws ServiceError rate_limited */
  open({ teamId, actorId, openedBy, check }: WatchedTeam, res: ServerResponse): void {
    // A user may read several teams, each within its own limit.
    const readerId = `${teamId} ${actorId}`;
    this.#hub.open({ topic: teamId, readerId, openedBy, refresh: check }, new Map(), res);
  }

  /** Publishes the ids of changes to a team's streams. Null stands for any of the kind. */
  publish(kind: LiveKind, teamId: string, ids: readonly string[] | null): void {
    for (const stream of this.#hub.streamsOf(teamId)) this.#add(stream, kind, ids);
  }

  /** Ends the streams that one of these keys, users, sessions or teams opened. Readers with access open them again. */
  endOpenedBy(ids: string[]): void {
    this.#hub.endOpenedBy(ids);
  }

  close(): void {
    this.#hub.close();
  }

  #add(stream: EventStream<TeamState>, kind: LiveKind, ids: readonly string[] | null): void {
    const { state } = stream;
    const pending = state.get(kind);
    const all = ids === null || pending === null ? null : new Set([...(pending ?? []), ...ids]);
    state.set(kind, all && all.size > MAX_IDS ? null : all);
    stream.sendThrottled(kind, this.#intervalMs, () => getChange(state, kind));
  }
}

function getChange(state: TeamState, kind: LiveKind): string | null {
  const ids = state.get(kind);
  if (ids === undefined) return null;
  state.delete(kind);
  const change: LiveChange = { ids: ids && [...ids] };
  return JSON.stringify(change);
}
