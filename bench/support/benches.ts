/** All benchmarks, in the order in which they run and are shown. */
export const BENCHES = [
  "cli-check",
  "warm-run",
  "profile",
  "real-pages-unchanged",
  "real-pages-time",
  "real-pages-changes",
  "visits",
  "compare",
  "explain",
  "read-run",
  "fleet",
  "fairness",
  "monitors",
  "monitor-day",
  "alerts",
  "dashboard",
  "uploads",
  "storybook",
  "start",
  "package",
] as const;
export type BenchName = (typeof BENCHES)[number];
