import { type AlertState, decide, type Telling, type Wrong } from "../../shared/alerts/decide.ts";
import { fingerprintOf } from "../../shared/alerts/fingerprint.ts";
import type { HistoryEntry } from "./history-entry.ts";

/** Stands for all widths of a page that does not answer. */
const WHOLE_PAGE = 0;

/** A page at a width that is alerted; `route` is the whole URL. */
export interface AlertedPair {
  route: string;
  viewport: number;
  /** ISO 8601, UTC. */
  since: string;
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

export interface AlertPlan {
  decision: "none" | "repeated" | "alerted" | "recovered";
  alert: Alert | null;
  /** What is alerted once that was sent. */
  pairs: AlertedPair[];
}

/**
 * Whether anybody is to be told of what a run found, by the rule of the service's monitors: an alert is sent when the
 * set of pages and widths that are wrong is another than the one alerted last, a recovery when nothing is any more.
 * Pages that this run did not look at, or could say nothing of, stay as they were.
 * @param alerted what is alerted and has not gone away
 */
export function planAlert(entries: HistoryEntry[], alerted: AlertedPair[], now: Date): AlertPlan {
  const known = new Set(entries.filter(({ outcome }) => outcome !== "failed").map(({ url }) => url));
  const before = alerted.filter(({ route }) => known.has(route));
  const elsewhere = alerted.filter(({ route }) => !known.has(route));
  const since = before.map(pair => pair.since).sort()[0] ?? null;
  const state: AlertState = {
    reportedAt: null,
    alerted: before.length > 0 ? fingerprintOf(before) : null,
    alertingSince: since === null ? null : new Date(since),
    lastAlertAt: null,
    snoozedUntil: null,
  };
  const pairs = entries.flatMap(pairsOf);
  const { decision, tell } = decide(state, { at: now, wrong: wrongOf(entries, pairs) }, now);
  // Nobody snoozes here.
  if (decision === "snoozed" || tell === null)
    return { decision: decision === "repeated" ? "repeated" : "none", alert: null, pairs: alerted };
  const sinceOf = new Map(before.map(pair => [nameOf(pair), pair.since]));
  return {
    decision: tell.kind === "recovered" ? "recovered" : "alerted",
    alert: alertOf(entries, before, tell, now),
    pairs: [
      ...elsewhere,
      ...pairs.map(pair => ({ ...pair, since: sinceOf.get(nameOf(pair)) ?? now.toISOString() })),
    ],
  };
}

function pairsOf({ url, outcome, shots }: HistoryEntry): { route: string; viewport: number }[] {
  if (outcome === "down") return [{ route: url, viewport: WHOLE_PAGE }];
  if (outcome !== "changed") return [];
  return shots.filter(({ state }) => state === "changed").map(({ viewport }) => ({ route: url, viewport }));
}

function wrongOf(entries: HistoryEntry[], pairs: { route: string; viewport: number }[]): Wrong | null {
  if (pairs.length === 0) return null;
  const isDown = entries.some(({ outcome }) => outcome === "down");
  return { kind: isDown ? "down" : "changed", about: fingerprintOf(pairs) };
}

function alertOf(entries: HistoryEntry[], before: AlertedPair[], tell: Telling, now: Date): Alert {
  const changed = entries.filter(({ outcome }) => outcome === "changed");
  const regressions = changed.flatMap(({ url, shots }) =>
    shots
      .filter(({ state }) => state === "changed")
      .map(({ viewport, diffRatio }) => ({ url, viewport, diffRatio: diffRatio ?? 1 })),
  );
  return {
    kind: tell.kind,
    at: now.toISOString(),
    regressions: regressions.sort((a, b) => b.diffRatio - a.diffRatio),
    down: entries
      .filter(({ outcome }) => outcome === "down")
      .map(({ url, shots }) => ({
        url,
        reason: shots.find(({ error }) => error !== null)?.error ?? "It does not answer.",
      })),
    recovered: tell.kind === "recovered" ? [...new Set(before.map(({ route }) => route))] : [],
    since: tell.kind === "recovered" ? (tell.since?.toISOString() ?? null) : null,
    about: tell.about,
  };
}

function nameOf({ route, viewport }: { route: string; viewport: number }): string {
  return `${viewport} ${route}`;
}
