import type { OverviewView } from "../../shared/contracts/runs/overview.ts";

type Day = OverviewView["days"][number];

/** Returns the days with figures. Null reruns capture screenshots on days without a run, too. */
export function shownDays(days: readonly Day[]): Day[] {
  return days.filter(({ runs, captures, noisyCaptures }) => runs > 0 || captures > 0 || noisyCaptures > 0);
}
