import { percent } from "../../../shared/text/format.ts";
import { duration, number, plural, wholePercent } from "../format.ts";

/** Texts of a project's overview. */
export const overviewTexts = {
  title: "Overview",
  titleOf: (project: string) => `Overview of ${project}`,
  thing: "the overview of this project",
  days: (days: number) => `Last ${plural(days, "day")}`,
  range: "Period",
  none: "No run has ended in this period.",
  facts: {
    runs: "Runs",
    changed: "Runs with changes",
    failed: "Failed runs",
    screenshots: "Screenshots",
    median: "Median time",
    flaky: "Flaky captures",
  },
  share: (part: number, all: number) => (all === 0 ? "0" : `${number(part)} (${wholePercent(part / all)})`),
  time: (ms: number | null) => (ms === null ? "–" : duration(Math.round(ms))),
  trends: {
    runs: "Runs by day",
    screenshots: "Changed screenshots by day",
    time: "Median time by day",
    flaky: "Flaky captures by day",
  },
  rate: (part: number, all: number) => (all === 0 ? "–" : percent(part / all)),
  ofDay: {
    flaky: (noisy: number, captures: number) =>
      `${number(noisy)} of ${plural(captures, "capture")} were noise`,
    runs: (runs: number, changed: number, failed: number) =>
      `${plural(runs, "run")}, ${number(changed)} with changes, ${number(failed)} failed`,
    screenshots: (changed: number, all: number) =>
      `${number(changed)} of ${plural(all, "screenshot")} changed`,
  },
  highest: (value: string) => `Highest: ${value}`,
  day: "Day",
  asTable: "Show as a table",
  slowest: "Slowest pages",
  slowestAbout: "Mean time to capture a page, in the last 10 runs.",
  noneSlow: "No page has been captured yet.",
  flakiest: "Flakiest pages",
  flakiestAbout: "Share of a page's recent captures that were noise.",
  noneFlaky: "No page is flaky.",
  viewNoise: "View noise",
  captures: (captures: number) => plural(captures, "capture"),
} as const;
