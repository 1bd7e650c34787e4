import { type AlertState, decide, type Telling, type Wrong } from "../../shared/alerts/decide.rule.ts";
import { fingerprintOf, WHOLE_PAGE } from "../../shared/alerts/fingerprint.rule.ts";
import { ALERT_TEXTS } from "../texts/monitor.ts";
import type { HistoryEntry } from "./history-entry.ts";

/** What no look was at for so long is not watched any more. Looks of different pages may take turns, such as each day's. */
const FORGOTTEN_AFTER_MS = 2 * 24 * 3_600_000;
/** When something was looked at last is remembered to this much: not each look is to write a file. */
const LOOKED_AT_WITHIN_MS = 3_600_000;

/** A page at a width that is alerted; `route` is the whole URL. */
interface AlertedPair {
  route: string;
  viewport: number;
  /** ISO 8601, UTC. */
  since: string;
  /** When it was last looked at, whatever was seen; ISO 8601, UTC. */
  lookedAt?: string | undefined;
}

/** What an alert says, whatever its form. */
export interface Alert {
  kind: Telling["kind"];
  /** ISO 8601, UTC. */
  at: string;
  /** The largest differences first. */
  regressions: { url: string; viewport: number; diffRatio: number }[];
  down: { url: string; reason: string }[];
  /** Of a recovery: what had been alerted. */
  recovered: string[];
  /** Of a recovery: since when. */
  since: string | null;
  /** Groups messages about one thing. */
  about: string;
}

/** What is alerted and has not gone away. */
export interface Alerted {
  pairs: AlertedPair[];
  /** What the last alert was about; null where nothing is alerted. */
  about: string | null;
}

export interface AlertPlan {
  decision: "none" | "repeated" | "alerted" | "recovered";
  alert: Alert | null;
  /** What is alerted once that was sent. */
  next: Alerted;
}

/**
 * Whether anybody is to be told of what a run found, by the rule of the service's monitors: an alert is sent when the
 * set of pages and widths that are wrong is another than the one alerted last, a recovery when nothing is any more.
 * Pages and widths that this run did not look at, or could say nothing of, stay as they were: while one of them is
 * alerted, that the others are well again is remembered and not told. Those that no run looks at any more are forgotten.
 */
export function planAlert(entries: HistoryEntry[], before: Alerted, now: Date): AlertPlan {
  const alerted = stillWatched(entries, before, now);
  const elsewhere = alerted.pairs.filter(pair => !entries.some(entry => saysSomethingOf(pair, entry)));
  const found = entries.flatMap(pairsOf);
  if (found.length === 0 && elsewhere.length > 0)
    return { decision: "none", alert: null, next: { ...alerted, pairs: elsewhere } };
  const { decision, tell } = decide(
    stateOf(alerted.pairs),
    { at: now, wrong: wrongOf([...elsewhere, ...found]) },
    now,
  );
  // The command line has no snooze.
  if (decision === "snoozed" || tell === null)
    return { decision: decision === "repeated" ? "repeated" : "none", alert: null, next: alerted };
  if (tell.kind === "recovered") {
    const about = alerted.about ?? tell.about;
    return {
      decision: "recovered",
      alert: alertOf(entries, { before: alerted.pairs, elsewhere }, { ...tell, about }, now),
      next: { pairs: [], about: null },
    };
  }
  const sinceOf = new Map(alerted.pairs.map(pair => [nameOf(pair), pair.since]));
  const at = now.toISOString();
  const pairs = found.map(pair => ({ ...pair, since: sinceOf.get(nameOf(pair)) ?? at, lookedAt: at }));
  return {
    decision: "alerted",
    alert: alertOf(entries, { before: alerted.pairs, elsewhere }, tell, now),
    next: { pairs: [...elsewhere, ...pairs], about: tell.about },
  };
}

function stillWatched(entries: HistoryEntry[], { pairs, about }: Alerted, now: Date): Alerted {
  const sinceLook = ({ since, lookedAt = since }: AlertedPair) => now.getTime() - Date.parse(lookedAt);
  const watched = pairs.flatMap(pair => {
    if (!entries.some(entry => isOf(pair, entry))) return sinceLook(pair) > FORGOTTEN_AFTER_MS ? [] : [pair];
    return [sinceLook(pair) > LOOKED_AT_WITHIN_MS ? { ...pair, lookedAt: now.toISOString() } : pair];
  });
  return { pairs: watched, about: watched.length > 0 ? about : null };
}

/** Whether this look was at that page and width, whatever it saw. */
function isOf({ route, viewport }: AlertedPair, { url, shots }: HistoryEntry): boolean {
  return url === route && (viewport === WHOLE_PAGE || shots.some(shot => shot.viewport === viewport));
}

/** A page that is down is so at every width, and one that is seen at any width is up. */
function saysSomethingOf({ route, viewport }: AlertedPair, { url, outcome, shots }: HistoryEntry): boolean {
  if (url !== route) return false;
  if (outcome === "down") return true;
  return shots.some(
    shot => (viewport === WHOLE_PAGE || shot.viewport === viewport) && shot.state !== "failed",
  );
}

function stateOf(pairs: AlertedPair[]): AlertState {
  const since = pairs.map(pair => pair.since).sort()[0];
  return {
    reportedAt: null,
    alerted: pairs.length > 0 ? fingerprintOf(pairs) : null,
    alertingSince: since === undefined ? null : new Date(since),
    lastAlertAt: null,
    snoozedUntil: null,
  };
}

function pairsOf({ url, outcome, shots }: HistoryEntry): { route: string; viewport: number }[] {
  if (outcome === "down") return [{ route: url, viewport: WHOLE_PAGE }];
  if (outcome !== "changed") return [];
  return shots.filter(({ state }) => state === "changed").map(({ viewport }) => ({ route: url, viewport }));
}

function wrongOf(pairs: { route: string; viewport: number }[]): Wrong | null {
  if (pairs.length === 0) return null;
  const isDown = pairs.some(({ viewport }) => viewport === WHOLE_PAGE);
  return { kind: isDown ? "down" : "changed", about: fingerprintOf(pairs) };
}

function alertOf(
  entries: HistoryEntry[],
  { before, elsewhere }: { before: AlertedPair[]; elsewhere: AlertedPair[] },
  tell: Telling,
  now: Date,
): Alert {
  const changed = entries.filter(({ outcome }) => outcome === "changed");
  const stillDown = elsewhere
    .filter(({ viewport }) => viewport === WHOLE_PAGE)
    .map(({ route }) => ({ url: route, reason: ALERT_TEXTS.noResponseLately }));
  const regressions = changed.flatMap(({ url, shots }) =>
    shots
      .filter(({ state }) => state === "changed")
      .map(({ viewport, diffRatio }) => ({ url, viewport, diffRatio: diffRatio ?? 1 })),
  );
  return {
    kind: tell.kind,
    at: now.toISOString(),
    regressions: regressions.sort((a, b) => b.diffRatio - a.diffRatio),
    down: [...entries.filter(({ outcome }) => outcome === "down").map(asDown), ...stillDown],
    recovered: tell.kind === "recovered" ? [...new Set(before.map(({ route }) => route))] : [],
    since: tell.kind === "recovered" ? (tell.since?.toISOString() ?? null) : null,
    about: tell.about,
  };
}

function asDown({ url, shots }: HistoryEntry): Alert["down"][number] {
  return { url, reason: shots.find(({ error }) => error !== null)?.error ?? ALERT_TEXTS.noResponse };
}

function nameOf({ route, viewport }: { route: string; viewport: number }): string {
  return `${viewport} ${route}`;
}
