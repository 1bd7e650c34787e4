/**
 * Returns whether a difference is a minor change: some changed pixels, but within the threshold.
 * @param isWithin whether the difference is within the threshold, as for the status `unchanged`
 * @param changed changed pixels, or their ratio; null without a comparison
 */
export function isMinor(isWithin: boolean, changed: number | null): boolean {
  return isWithin && changed !== null && changed > 0;
}
