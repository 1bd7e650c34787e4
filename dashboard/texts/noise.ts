import type { NoiseKind, NoiseView } from "../../shared/contracts/noise/noise.ts";
import { percent } from "../../shared/text/format.ts";
import { number, plural } from "./format.ts";

/** Texts of the page about flaky pages, ignore regions, and null reruns. */
export const noiseTexts = {
  title: "Noise",
  titleOf: (project: string) => `Noise of ${project}`,
  seeProjects: "Go to projects",

  suggestions: "Suggested ignore regions",
  suggestionsAbout:
    "Each region caused noise in at least three screenshots. Nothing is ignored until a reviewer adds the region.",
  noSuggestions:
    "No suggestions yet. To get some, reject false alarms as noise in a review, or turn on null reruns below.",
  accept: "Add ignore region",
  dismiss: "Dismiss suggestion",
  accepted: "Ignore region added. From the next run on, changes in this region don't count.",
  dismissed: "Suggestion dismissed. It is suggested again after three more observations.",
  screenshotGone: "The screenshot was deleted.",
  observed: "{observations}, last {time}",

  flakiest: "Flakiest pages",
  flakiestAbout: "The flake score is the share of a page's recent captures that were noise.",
  noneFlaky: "No noisy pages in the last 30 days.",
  captures: "{width} · {captures} · last {time}",
  noisyOf: (noisy: number, captures: number) => `${number(noisy)} of ${plural(captures, "capture")}`,
  scores: (days: number, highest: number) =>
    `Flake score of the last ${plural(days, "day")}, ${percent(highest)} at most`,
  scoreOf: (day: string, score: number, noisy: number, captures: number) =>
    `${day}: ${percent(score)}, ${number(noisy)} of ${plural(captures, "capture")} noisy`,

  reruns: "Null reruns",
  rerunsAbout:
    "Once a day, vrs repeats a run of the default branch and compares it with that run's own screenshots. If the deployment is the same, every difference is a false alarm. Reruns count toward the plan's usage. They don't report to pull requests and don't change baselines.",
  turnOnReruns: "Repeat a run of the default branch once a day",
  adminsOnly: "Only admins can change this.",
  rate: "False alarm rate, last 30 days",
  noRate: "–",
  nothingCompared: "Nothing compared yet",
  falseAlarms: (falseAlarms: number, compared: number) =>
    `${plural(falseAlarms, "false alarm")} in ${plural(compared, "screenshot")}`,
  openRerun: "Open rerun",
} as const;

const KINDS: Record<NoiseKind, string> = {
  unstable: "unstable captures",
  retried: "retried captures",
  nullRerun: "null reruns",
  rejectedAsNoise: "rejected as noise",
};

/** Formats as `3 screenshots: unstable captures, rejected as noise`. */
export function observationsText({ observations, kinds }: NoiseView["suggestions"][number]): string {
  return `${plural(observations, "screenshot")}: ${kinds.map(kind => KINDS[kind]).join(", ")}`;
}

/** Formats as `60 × 20 px at 300, 10`. */
export function regionText(region: { x: number; y: number; width: number; height: number }): string {
  return `${number(region.width)} × ${number(region.height)} px at ${number(region.x)}, ${number(region.y)}`;
}

const SKIPPED = {
  plan_limit_exceeded: "Skipped: the plan's monthly limit is reached.",
  expired: "Skipped: it was queued for longer than an hour.",
  deleted: "Skipped: the run was deleted.",
};

/** Describes the result of a null rerun. */
export function rerunText({
  compared,
  falseAlarms,
  skipped,
}: NoiseView["nullReruns"]["history"][number]): string {
  if (skipped !== null) return SKIPPED[skipped];
  if (compared === null || falseAlarms === null) return "Not completed";
  return noiseTexts.falseAlarms(falseAlarms, compared);
}
