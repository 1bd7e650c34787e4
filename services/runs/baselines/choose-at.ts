import { keyOf, type ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { Baseline } from "./baseline.entity.ts";
import { type BaselineOrder, type ChosenBaseline, chooseBaseline } from "./choose-baseline.rule.ts";

/** The candidates for a run's baselines. */
export interface Choice {
  order: BaselineOrder;
  /** Latest approvals, one per scope, by page. */
  latest: Map<string, Baseline[]>;
  /** The base branch's approvals at the merge base, by page. */
  atBase: Map<string, Baseline>;
}

/** Returns the baseline of a page in this order of scopes. */
export function chooseAt(
  page: ScreenshotKey,
  { latest, atBase }: Choice,
  order: BaselineOrder,
): ChosenBaseline {
  return chooseBaseline(latest.get(keyOf(page)) ?? [], atBase.get(keyOf(page)), order);
}
