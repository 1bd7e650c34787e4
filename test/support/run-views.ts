import type { RunView, ScreenshotView } from "../../shared/contracts/http.ts";

/** A run that renders. */
export function makeRun(more: Partial<RunView> & { id: string }): RunView {
  return {
    kind: "run",
    status: "rendering",
    conclusion: null,
    project: "octo/site",
    url: "https://preview.example",
    branch: null,
    scm: null,
    threshold: 0.01,
    submittedBy: "code-host app",
    progress: { total: 3, captured: 1, compared: 1 },
    counts: { unchanged: 1, minor: 0, changed: 0, new: 0, removed: 0, failed: 0 },
    createdAt: new Date().toISOString(),
    startedAt: null,
    completedAt: null,
    error: null,
    warnings: [],
    links: {
      self: `https://vrs.example/v1/runs/${more.id}`,
      report: `https://vrs.example/r/${more.id}?token=t`,
    },
    ...more,
  };
}

let shots = 0;

/** A screenshot that changed. */
export function makeShot(more: Partial<ScreenshotView> = {}): ScreenshotView {
  shots += 1;
  return {
    id: `shot_${shots}`,
    route: `/page-${shots}`,
    viewport: 1280,
    status: "changed",
    width: 1280,
    height: 800,
    diffRatio: 0.034,
    diffPixels: 100,
    minor: false,
    regions: [],
    ignored: { pixels: 0, regions: [] },
    flakeScore: 0,
    fingerprint: null,
    baseline: { runId: "run_before", reason: "latest approved on main", width: 1280, height: 800 },
    images: {
      current: "https://vrs.example/c.png",
      baseline: "https://vrs.example/b.png",
      diff: "https://vrs.example/d.png",
      change: "https://vrs.example/change.png",
    },
    stable: true,
    moving: [],
    attempts: 1,
    browser: null,
    notes: [],
    review: null,
    reviews: [],
    carried: null,
    error: null,
    ...more,
  };
}
