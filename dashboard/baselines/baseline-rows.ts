import type { BaselineView } from "../../shared/contracts/runs/baselines.ts";

/** A route with its baselines, the narrowest first. */
export interface BaselineRow {
  route: string;
  baselines: readonly BaselineView[];
}

/** Returns the listed baselines by route. @param viewport only those of this width; null for all */
export function rowsOf(baselines: readonly BaselineView[], viewport: number | null): BaselineRow[] {
  const shown = baselines.filter(baseline => viewport === null || baseline.viewport === viewport);
  return [...Map.groupBy(shown, ({ route }) => route)].map(([route, ofRoute]) => ({
    route,
    baselines: ofRoute.toSorted((one, other) => one.viewport - other.viewport),
  }));
}
