/** What a check found, in the order of their ends. */
export interface FinishedCheck {
  outcome: string;
  /** Pages and widths that look different. */
  changed: string[];
}

/** The alerts that docs/explanation/alerts.md promises for these checks of one monitor: what is wrong is told when it is something else than before. */
export function alertsDue(checks: FinishedCheck[]): string[] {
  const due: string[] = [];
  let alerted: string | null = null;
  for (const { outcome, changed } of checks) {
    // A fault of the service itself says nothing of the site.
    if (outcome === "failed") continue;
    const wrong: string | null =
      outcome === "down" ? "down" : outcome === "changed" ? changed.toSorted().join() : null;
    if (wrong === alerted) continue;
    due.push(wrong === null ? "monitor.recovered" : outcome === "down" ? "monitor.down" : "monitor.changed");
    alerted = wrong;
  }
  return due;
}
