import { count } from "../../shared/text/format.ts";
import { type Breakdown, type Count, countOf, type Measure, measureOf } from "../support/figures.ts";
import type { CheckScreenshot, EndedCheck } from "./read-checks.ts";
import {
  hourlyChecks,
  pageOf,
  regionInWords,
  type Suspicion,
  suspicionInWords,
  suspicionsOf,
} from "./suspicions.ts";

/** Maximum number of suspicions that are listed one by one. More have the same causes. */
const MAX_LISTED = 20;
const PLACES = 3;
const NONE = { is: "at most", value: 0 } as const;

/** The results of a simulated day. */
export interface Day {
  checks: EndedCheck[];
  screenshots: CheckScreenshot[];
  /** Requests to the webhook. */
  alerts: number;
  /** How long all checks of an hour took, s each. */
  hourSeconds: number[];
}

/** Returns how often the hourly checks were wrong. */
export function countsOfDay({ checks, screenshots, alerts }: Day): {
  counts: Count[];
  suspicions: Suspicion[];
} {
  const hours = hourlyChecks(checks);
  const hourly = checks.filter(({ id }) => hours.has(id));
  const firstAttempts = screenshots.filter(({ checkId, runNumber }) => runNumber === 1 && hours.has(checkId));
  const suspicions = suspicionsOf(hours, screenshots);
  const confirmed = suspicions.filter(({ isConfirmed }) => isConfirmed).length;
  const silent = hourly.filter(({ outcome }) => outcome === "failed").length;
  const all = Math.max(1, firstAttempts.length);
  const counts = [
    countOf({ title: "alerts, of checks", bar: NONE }, alerts, Math.max(1, hourly.length)),
    countOf({ title: "regressions confirmed, of screenshots", bar: NONE }, confirmed, all),
    countOf(
      { title: "regressions dismissed by a second look, of screenshots" },
      suspicions.length - confirmed,
      all,
    ),
    countOf({ title: "checks that the service could not do", bar: NONE }, silent, Math.max(1, hourly.length)),
    countOf({ title: "screenshots retried" }, firstAttempts.filter(isRetried).length, all),
    countOf(
      { title: "screenshots unstable" },
      firstAttempts.filter(({ stable }) => stable === false).length,
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
export function breakdownOfDay({ checks, screenshots }: Day, suspicions: Suspicion[]): Breakdown {
  const hours = hourlyChecks(checks);
  const firstAttempts = screenshots.filter(({ checkId, runNumber }) => runNumber === 1 && hours.has(checkId));
  const rows = [...Map.groupBy(firstAttempts, siteOf)].map(([name, ofSite]) => {
    const suspected = suspicions.filter(({ screenshots: [first] }) => first && siteOf(first) === name);
    const confirmed = suspected.filter(({ isConfirmed }) => isConfirmed).length;
    const retried = ofSite.filter(isRetried).length;
    return { name, values: [ofSite.length, retried, suspected.length - confirmed, confirmed] };
  });
  return { title: "site", columns: ["screenshots", "retried", "dismissed", "confirmed"], rows };
}

/** Lists what looked changed, confirmed suspicions first, and which pages were retried, most often first. */
export function notesOfDay({ checks, screenshots }: Day, suspicions: Suspicion[]): string[] {
  const hours = hourlyChecks(checks);
  const retried = screenshots.filter(
    screenshot => screenshot.runNumber === 1 && hours.has(screenshot.checkId) && isRetried(screenshot),
  );
  const byPage = [...Map.groupBy(retried, pageOf)].toSorted(([, a], [, b]) => b.length - a.length);
  const confirmedFirst = suspicions.toSorted((a, b) => Number(b.isConfirmed) - Number(a.isConfirmed));
  return [
    ...confirmedFirst.slice(0, MAX_LISTED).map(suspicionInWords),
    ...byPage.slice(0, MAX_LISTED).map(([page, ofPage]) => {
      const places = new Set(
        ofPage.flatMap(({ movingRegions }) => movingRegions.slice(0, 1).map(regionInWords)),
      );
      return `${page}: retried in ${count(ofPage.length, "hour")}, as takes differed at ${[...places].slice(0, PLACES).join("; ")}.`;
    }),
  ];
}

function isRetried({ movingRegions }: CheckScreenshot): boolean {
  return movingRegions.length > 0;
}

function siteOf({ url }: CheckScreenshot): string {
  return new URL(url).pathname.slice(1);
}
