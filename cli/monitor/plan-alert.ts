import {
  type AlertState,
  type DueNotification,
  decide,
  type Problem,
} from "../../shared/alerts/decide.rule.ts";
import { fingerprintOf, WHOLE_PAGE } from "../../shared/alerts/fingerprint.rule.ts";
import { keyOf, type ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import { ALERT_TEXTS } from "../texts/monitor.ts";
import type { HistoryEntry, HistoryShot } from "./history-entry.ts";

/**
 * Alerted pages that no check captured for this long are dropped. Checks of different pages may alternate, such as
 * daily.
 */
const EXPIRES_AFTER_MS = 2 * 24 * 3_600_000;
/** Precision of the last capture time, so that not every check writes a file. */
const LAST_ATTEMPT_PRECISION_MS = 3_600_000;

/** A screenshot with an open alert. `route` is the whole URL. */
interface AlertedPair extends ScreenshotKey {
  /** ISO 8601, UTC. */
  since: string;
  /** Time of the last capture attempt, with any result. ISO 8601, UTC. */
  lookedAt?: string | undefined;
}

/** The content of an alert in any form. */
export interface Alert {
  kind: DueNotification["kind"];
  /** ISO 8601, UTC. */
  at: string;
  /** Largest differences first. */
  regressions: (Omit<ScreenshotKey, "route"> & { url: string; diffRatio: number })[];
  down: { url: string; reason: string }[];
  /** For a recovery: the alerted URLs. */
  recovered: string[];
  /** For a recovery: the start of the alert. */
  since: string | null;
  /** Groups messages about one problem. */
  about: string;
}

/** The pages with an open alert. */
export interface Alerted {
  pairs: AlertedPair[];
  /** Fingerprint of the last alert. Null if there is none. */
  about: string | null;
}

export interface AlertPlan {
  decision: "none" | "repeated" | "alerted" | "recovered";
  alert: Alert | null;
  /** The state after the alert was sent. */
  next: Alerted;
}

/**
 * Decides whether a run causes an alert, by the rule of the service's monitors. An alert is due if the set of
 * pages with a problem differs from the last alert. A recovery is due if there is no problem anymore. Pages that
 * this run did not capture keep their state. While one of them has an open alert, the recovery of the others is
 * stored, but not sent. Pages that no run captures anymore are dropped.
 */
export function planAlert(entries: HistoryEntry[], before: Alerted, now: Date): AlertPlan {
  const alerted = withoutExpired(entries, before, now);
  const unchecked = alerted.pairs.filter(pair => !entries.some(entry => hasResultOf(pair, entry)));
  const found = entries.flatMap(pairsOf);
  if (found.length === 0 && unchecked.length > 0)
    return { decision: "none", alert: null, next: { ...alerted, pairs: unchecked } };
  const { decision, notification } = decide(
    stateOf(alerted.pairs),
    { at: now, problem: problemOf([...unchecked, ...found]) },
    now,
  );
  // The command line has no snooze.
  if (decision === "snoozed" || notification === null)
    return { decision: decision === "repeated" ? "repeated" : "none", alert: null, next: alerted };
  if (notification.kind === "recovered") {
    const about = alerted.about ?? notification.about;
    return {
      decision: "recovered",
      alert: alertOf(entries, { before: alerted.pairs, unchecked }, { ...notification, about }, now),
      next: { pairs: [], about: null },
    };
  }
  const sinceOf = new Map(alerted.pairs.map(pair => [keyOf(pair), pair.since]));
  const at = now.toISOString();
  const pairs = found.map(pair => ({ ...pair, since: sinceOf.get(keyOf(pair)) ?? at, lookedAt: at }));
  return {
    decision: "alerted",
    alert: alertOf(entries, { before: alerted.pairs, unchecked }, notification, now),
    next: { pairs: [...unchecked, ...pairs], about: notification.about },
  };
}

function withoutExpired(entries: HistoryEntry[], { pairs, about }: Alerted, now: Date): Alerted {
  const sinceAttemptMs = ({ since, lookedAt = since }: AlertedPair) => now.getTime() - Date.parse(lookedAt);
  const current = pairs.flatMap(pair => {
    if (!entries.some(entry => isAttempted(pair, entry)))
      return sinceAttemptMs(pair) > EXPIRES_AFTER_MS ? [] : [pair];
    return [
      sinceAttemptMs(pair) > LAST_ATTEMPT_PRECISION_MS ? { ...pair, lookedAt: now.toISOString() } : pair,
    ];
  });
  return { pairs: current, about: current.length > 0 ? about : null };
}

/** Returns whether the run attempted this screenshot, with any result. */
function isAttempted(pair: AlertedPair, { url, shots }: HistoryEntry): boolean {
  return url === pair.route && (pair.viewport === WHOLE_PAGE || shots.some(shot => isOf(pair, shot)));
}

/** Returns whether a screenshot is the alerted one, or one of the alerted page. */
function isOf({ state, environment, viewport }: AlertedPair, shot: HistoryShot): boolean {
  if (viewport === WHOLE_PAGE) return true;
  return shot.viewport === viewport && shot.stateName === state && shot.environment === environment;
}

/**
 * Returns whether the run has a result for this page. A page that is down is down at every width. A page that was
 * captured at any width is up.
 */
function hasResultOf(pair: AlertedPair, { url, outcome, shots }: HistoryEntry): boolean {
  if (url !== pair.route) return false;
  if (outcome === "down") return true;
  return shots.some(shot => isOf(pair, shot) && shot.state !== "failed");
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

function pairsOf({ url, outcome, shots }: HistoryEntry): ScreenshotKey[] {
  if (outcome === "down") return [{ route: url, state: null, environment: null, viewport: WHOLE_PAGE }];
  if (outcome !== "changed") return [];
  return shots.filter(({ state }) => state === "changed").map(shot => ({ route: url, ...keyPartsOf(shot) }));
}

function keyPartsOf({ stateName, environment, viewport }: HistoryShot): Omit<ScreenshotKey, "route"> {
  return { state: stateName, environment, viewport };
}

function problemOf(pairs: ScreenshotKey[]): Problem | null {
  if (pairs.length === 0) return null;
  const isDown = pairs.some(({ viewport }) => viewport === WHOLE_PAGE);
  return { kind: isDown ? "down" : "changed", about: fingerprintOf(pairs) };
}

function alertOf(
  entries: HistoryEntry[],
  { before, unchecked }: { before: AlertedPair[]; unchecked: AlertedPair[] },
  notification: DueNotification,
  now: Date,
): Alert {
  const changed = entries.filter(({ outcome }) => outcome === "changed");
  const stillDown = unchecked
    .filter(({ viewport }) => viewport === WHOLE_PAGE)
    .map(({ route }) => ({ url: route, reason: ALERT_TEXTS.noResponseLately }));
  const regressions = changed.flatMap(({ url, shots }) =>
    shots
      .filter(({ state }) => state === "changed")
      .map(shot => ({ url, ...keyPartsOf(shot), diffRatio: shot.diffRatio ?? 1 })),
  );
  return {
    kind: notification.kind,
    at: now.toISOString(),
    regressions: regressions.sort((a, b) => b.diffRatio - a.diffRatio),
    down: [...entries.filter(({ outcome }) => outcome === "down").map(asDown), ...stillDown],
    recovered: notification.kind === "recovered" ? [...new Set(before.map(({ route }) => route))] : [],
    since: notification.kind === "recovered" ? (notification.since?.toISOString() ?? null) : null,
    about: notification.about,
  };
}

function asDown({ url, shots }: HistoryEntry): Alert["down"][number] {
  return { url, reason: shots.find(({ error }) => error !== null)?.error ?? ALERT_TEXTS.noResponse };
}
