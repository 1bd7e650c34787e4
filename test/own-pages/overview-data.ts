import { overviewView } from "../../shared/contracts/runs/overview.ts";

/** Responses about a project's overview of 30 days. */
export function overviewAnswers(now: string): [string, unknown][] {
  const page = { state: null, environment: null };
  const days = Array.from({ length: 30 }, (_, index) => {
    const day = new Date(Date.parse(now) - (29 - index) * 86_400_000).toISOString().slice(0, 10);
    // Weekends are quiet.
    const runs = index % 7 < 5 ? 4 + ((index * 5) % 9) : 0;
    const changed = Math.min(runs, (index * 3) % 6);
    return {
      ...{ day, runs, changed, failed: index === 16 ? 2 : 0, screenshots: runs * 74 },
      ...{ changedScreenshots: changed * (3 + (index % 5)) },
      medianMs: runs === 0 ? null : 40_000 + ((index * 7_919) % 30_000),
      ...{ captures: runs * 74, noisyCaptures: runs === 0 ? 0 : (index * 11) % 17 },
    };
  });
  const sum = (name: keyof Omit<(typeof days)[number], "day" | "medianMs">) =>
    days.reduce((total, day) => total + day[name], 0);
  const overview = overviewView.parse({
    project: "acme/shop",
    totals: {
      ...{ runs: sum("runs"), changed: sum("changed"), failed: sum("failed"), medianMs: 52_400 },
      ...{ screenshots: sum("screenshots"), changedScreenshots: sum("changedScreenshots") },
      ...{ captures: sum("captures"), noisyCaptures: sum("noisyCaptures") },
    },
    days,
    slowest: [
      { ...page, route: "/pricing", viewport: 1280, ms: 4_820, captures: 10 },
      { ...page, route: "/", viewport: 1280, ms: 2_140, captures: 10 },
      { ...page, route: "/about", viewport: 375, ms: 930, captures: 10 },
    ],
    flakiest: [{ ...page, route: "/pricing", viewport: 1280, score: 0.12 }],
  });
  return [["/v1/overview", overview]];
}
