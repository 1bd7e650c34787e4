import type { Forecast } from "../../../shared/contracts/billing/usage.ts";
import type { Period } from "./period.rule.ts";

/** The first days of a period say too little about the rest. */
const MIN_ELAPSED_RATIO = 0.1;

/**
 * Predicts an allowance's usage at the end of the period, as if the rest went on like the period so far. Returns null
 * in its first tenth.
 */
export function forecastUsage(
  { used, limit }: { used: number; limit: number | null },
  { start, end }: Period,
  now: Date,
): Forecast | null {
  const elapsedMs = now.getTime() - start.getTime();
  const periodMs = end.getTime() - start.getTime();
  if (elapsedMs < periodMs * MIN_ELAPSED_RATIO) return null;
  const atEnd = Math.round((used * periodMs) / elapsedMs);
  const isTooMuch = limit !== null && used < limit && atEnd > limit;
  const reachedMs = isTooMuch ? (limit * elapsedMs) / used : 0;
  return {
    used: atEnd,
    limitReachedAt: isTooMuch ? new Date(start.getTime() + reachedMs).toISOString() : null,
  };
}
