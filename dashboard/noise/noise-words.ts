import type { NoiseKind, NoiseView } from "../../shared/contracts/noise.ts";
import { count, percent } from "../../shared/report/words.ts";

const KINDS: Record<NoiseKind, string> = {
  unstable: "unstable captures",
  retried: "retried captures",
  nullRerun: "null reruns",
  rejectedAsNoise: "rejected as noise",
};

/** `3 screenshots: unstable captures, rejected as noise`. */
export function observationsInWords({ observations, kinds }: NoiseView["suggestions"][number]): string {
  return `${count(observations, "screenshot")}: ${kinds.map(kind => KINDS[kind]).join(", ")}`;
}

/** `60 × 20 px at 300, 10`. */
export function regionInWords(region: { x: number; y: number; width: number; height: number }): string {
  const [width, height, x, y] = [region.width, region.height, region.x, region.y].map(each =>
    each.toLocaleString("en"),
  );
  return `${width} × ${height} px at ${x}, ${y}`;
}

const SKIPPED = {
  plan_limit_exceeded: "Skipped: the plan's monthly limit is reached.",
  expired: "Skipped: it waited for longer than an hour.",
  deleted: "Skipped: the run was deleted.",
};

/** What a null rerun came to. */
export function rerunInWords({
  compared,
  falseAlarms,
  skipped,
}: NoiseView["nullReruns"]["history"][number]): string {
  if (skipped !== null) return SKIPPED[skipped];
  if (compared === null || falseAlarms === null) return "Not finished";
  return `${count(falseAlarms, "false alarm")} in ${count(compared, "screenshot")}`;
}

/** `1.2 %`, or a dash where nothing was compared. */
export function rateInWords(rate: number | null): string {
  return rate === null ? "–" : percent(rate);
}
