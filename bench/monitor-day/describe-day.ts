import { type Breakdown, type Count, countOf, type Measure, measureOf } from "../figures.ts";
import type { EndedCheck, TakenShot } from "./read-checks.ts";
import { hourlyChecks, type Suspicion, suspicionsOf } from "./suspicions.ts";

/** Suspicions told one by one; more have the same causes. */
const TOLD = 20;
const NONE = { is: "at most", value: 0 } as const;

/** What a simulated day came to. */
export interface Day {
  checks: EndedCheck[];
  shots: TakenShot[];
  /** Requests to the webhook. */
  alerts: number;
  /** How long all checks of an hour took, s each. */
  hourSeconds: number[];
}

/** Returns how often the hourly checks were wrong. */
export function countsOfDay({ checks, shots, alerts }: Day): { counts: Count[]; suspicions: Suspicion[] } {
  const hours = hourlyChecks(checks);
  const hourly = checks.filter(({ id }) => hours.has(id));
  const firstLooks = shots.filter(({ checkId, look }) => look === 1 && hours.has(checkId));
  const suspicions = suspicionsOf(hours, shots);
  const confirmed = suspicions.filter(({ isConfirmed }) => isConfirmed).length;
  const silent = hourly.filter(({ outcome }) => outcome === "failed").length;
  const all = Math.max(1, firstLooks.length);
  const counts = [
    countOf({ title: "alerts, of checks", bar: NONE }, alerts, Math.max(1, hourly.length)),
    countOf({ title: "regressions confirmed, of screenshots", bar: NONE }, confirmed, all),
    countOf(
      { title: "regressions dismissed by a second look, of screenshots" },
      suspicions.length - confirmed,
      all,
    ),
    countOf({ title: "checks that the service could not do", bar: NONE }, silent, Math.max(1, hourly.length)),
    countOf({ title: "screenshots retried" }, firstLooks.filter(({ isRetried }) => isRetried).length, all),
    countOf(
      { title: "screenshots unstable" },
      firstLooks.filter(({ stable }) => stable === false).length,
      all,
    ),
  ];
  return { counts, suspicions };
}

/** Returns how long the checks of an hour took. */
export function measuresOfDay({ hourSeconds }: Day): Measure[] {
  const taken = hourSeconds.map(value => ({ value, peakMb: null }));
  return [measureOf({ title: "all checks of one hour", unit: "s" }, taken)];
}

/** Returns the figures of each site. */
export function breakdownOfDay({ checks, shots }: Day, suspicions: Suspicion[]): Breakdown {
  const hours = hourlyChecks(checks);
  const firstLooks = shots.filter(({ checkId, look }) => look === 1 && hours.has(checkId));
  const rows = [...Map.groupBy(firstLooks, siteOf)].map(([name, ofSite]) => {
    const suspected = suspicions.filter(({ looks: [look] }) => look && siteOf(look) === name);
    const confirmed = suspected.filter(({ isConfirmed }) => isConfirmed).length;
    const retried = ofSite.filter(({ isRetried }) => isRetried).length;
    return { name, values: [ofSite.length, retried, suspected.length - confirmed, confirmed] };
  });
  return { title: "site", columns: ["screenshots", "retried", "dismissed", "confirmed"], rows };
}

/** Returns the suspicions to tell one by one, confirmed ones first. */
export function toldOf(suspicions: Suspicion[]): Suspicion[] {
  return suspicions.toSorted((a, b) => Number(b.isConfirmed) - Number(a.isConfirmed)).slice(0, TOLD);
}

function siteOf({ url }: TakenShot): string {
  return new URL(url).pathname.slice(1);
}
