/**
 * Returns whether a difference is a minor change: pixels changed, and no more of them than the threshold allows.
 * @param isWithin whether the difference is within its threshold, which is the status `unchanged` of a screenshot
 * @param changed changed pixels, or their ratio; null where nothing was compared
 */
export function isMinor(isWithin: boolean, changed: number | null): boolean {
  return isWithin && changed !== null && changed > 0;
}
