import { endsWithin, runWithin } from "../../../shared/async.ts";
import { LOG_MESSAGES } from "../texts/log.ts";

/** The concurrent work for one installation. The code host's own guidance is few concurrent requests. */
const LANE_CONCURRENCY = 3;
/** The concurrent work for one code host, and for one team. A team can name many hosts that do not respond. */
const GROUP_CONCURRENCY = 12;
/** The concurrent work of one kind on a node. */
const MAX_RUNNING = 200;
/** Well above the time of an installation's slowest work. */
export const WORK_TIMEOUT_MS = 3 * 60_000;
/** The interval at which free lanes get new work while others are busy. */
const LEASE_INTERVAL_MS = 1_000;

/** The place of a piece of work. Work of one installation, host, or team does not delay others. */
export interface Lane {
  /** The installation or connection. */
  lane: string;
  /** The address of the code host. */
  host: string;
  team: string;
}

/** The lanes, hosts, and teams that have as much work as they may. */
export interface FullLanes {
  lanes: string[];
  hosts: string[];
  teams: string[];
}

/** No lane is full, as before any work. */
export const NO_FULL_LANES: FullLanes = { lanes: [], hosts: [], teams: [] };

/** One kind of work that is due by rows of a table. */
export interface LaneWork<T> {
  /** Leases due rows: at most one of each host and team, and none of full lanes. */
  lease(full: FullLanes): Promise<(T & Lane)[]>;
  /** Does the work of a row. @param signal aborts when its time is up, so that it renews its lease no more */
  work(row: T & Lane, signal: AbortSignal): Promise<void>;
  /** Reports a failure, or work whose time is up. */
  failed(error: unknown, row: T & Lane): void;
  timeoutMs?: number;
}

/** Work whose time is up. It continues, but its lease ends, and its place is free. */
class Overdue extends Error {
  constructor(ms: number) {
    super(LOG_MESSAGES.overdue(ms / 1_000));
  }
}

/**
 * Does all due work, each installation in its own lane. A lane that is slow or fails does not delay other lanes.
 * @returns when no work is due or running. After the signal, no more work starts
 */
export async function workInLanes<T>(work: LaneWork<T>, signal?: AbortSignal): Promise<void> {
  const places = new Places();
  const running = new Set<Promise<void>>();
  while (!signal?.aborted) {
    const due = running.size < MAX_RUNNING ? await work.lease(places.full()) : [];
    for (const row of due) {
      const done: Promise<void> = workInTime(work, row).finally(() => {
        places.leave(row);
        running.delete(done);
      });
      places.enter(row);
      running.add(done);
    }
    if (due.length > 0) continue;
    if (running.size === 0) return;
    await endsWithin(Promise.race(running), LEASE_INTERVAL_MS);
  }
  await Promise.all(running);
}

async function workInTime<T>(
  { work, failed, timeoutMs = WORK_TIMEOUT_MS }: LaneWork<T>,
  row: T & Lane,
): Promise<void> {
  const isDone = await runWithin(signal => work(row, signal).catch(error => failed(error, row)), timeoutMs);
  if (!isDone) failed(new Overdue(timeoutMs), row);
}

/** Counts the work of each lane, host, and team. */
class Places {
  readonly #lanes = new Map<string, number>();
  readonly #hosts = new Map<string, number>();
  readonly #teams = new Map<string, number>();

  enter(of: Lane): void {
    this.#add(of, 1);
  }

  leave(of: Lane): void {
    this.#add(of, -1);
  }

  full(): FullLanes {
    const fullOf = (counts: Map<string, number>, limit: number) =>
      [...counts].flatMap(([name, count]) => (count >= limit ? name : []));
    return {
      lanes: fullOf(this.#lanes, LANE_CONCURRENCY),
      hosts: fullOf(this.#hosts, GROUP_CONCURRENCY),
      teams: fullOf(this.#teams, GROUP_CONCURRENCY),
    };
  }

  #add({ lane, host, team }: Lane, by: 1 | -1): void {
    const counted: [Map<string, number>, string][] = [
      [this.#lanes, lane],
      [this.#hosts, host],
      [this.#teams, team],
    ];
    for (const [counts, name] of counted) {
      const count = (counts.get(name) ?? 0) + by;
      if (count === 0) counts.delete(name);
      else counts.set(name, count);
    }
  }
}
