/** The result of a check, in the order of completion. */
export interface FinishedCheck {
  outcome: string;
  /** Pages and widths that look different. */
  changed: string[];
}

/**
 * Returns the alerts that docs/explanation/alerts.md promises for these checks of one monitor. A problem is alerted
 * when it differs from the previous one.
 */
export function alertsDue(checks: FinishedCheck[]): string[] {
  const due: string[] = [];
  let alerted: string | null = null;
  for (const { outcome, changed } of checks) {
    // A failure of the service itself says nothing about the site.
    if (outcome === "failed") continue;
    const wrong: string | null =
      outcome === "down" ? "down" : outcome === "changed" ? changed.toSorted().join() : null;
    if (wrong === alerted) continue;
    due.push(wrong === null ? "monitor.recovered" : outcome === "down" ? "monitor.down" : "monitor.changed");
    alerted = wrong;
  }
  return due;
}
