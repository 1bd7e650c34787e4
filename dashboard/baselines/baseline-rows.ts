import { environmentLabel, pageName } from "../../shared/contracts/capture/screenshot-key.ts";
import type { BaselineView } from "../../shared/contracts/runs/baselines.ts";

/** A page in one state and environment with its baselines, the narrowest first. */
export interface BaselineRow {
  /** Name with state and environment. */
  name: string;
  baselines: readonly BaselineView[];
}

/** Selected baselines. Null for all. */
export interface RowFilters {
  /** Width, px. */
  viewport: number | null;
  /** Name of the environment. */
  environment: string | null;
}

/** Returns the listed baselines by page. */
export function rowsOf(
  baselines: readonly BaselineView[],
  { viewport, environment }: RowFilters,
): BaselineRow[] {
  const shown = baselines.filter(
    baseline =>
      (viewport === null || baseline.viewport === viewport) &&
      (environment === null || environmentLabel(baseline.environment) === environment),
  );
  return [...Map.groupBy(shown, pageName)].map(([name, ofPage]) => ({
    name,
    baselines: ofPage.toSorted((one, other) => one.viewport - other.viewport),
  }));
}
