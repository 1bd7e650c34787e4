import assert from "node:assert/strict";
import type { Baseline } from "../../../services/runs/baselines/baseline.entity.ts";
import { removedPages } from "../../../services/runs/baselines/removed-pages.ts";
import { branchScope } from "../../../services/runs/baselines/scope.rule.ts";
import { NO_TALLY } from "../../../services/runs/capture/conclude.rule.ts";
import { warningsOfRun } from "../../../services/runs/queries/present-run.ts";
import { BOUNDS } from "../../../shared/contracts/capture/bounds.ts";
import { keyOf } from "../../../shared/contracts/capture/screenshot-key.ts";

const MAIN = branchScope("main");
const RUN = { id: "run_2", source: "capture", scope: MAIN, threshold: 0.01 } as const;

const baselineOf = (route: string): Baseline => ({
  ...{ id: `base ${route}`, projectId: "proj_1", scope: MAIN, route, state: null, environment: null },
  ...{
    viewport: 1280,
    hash: "h",
    width: 1,
    height: 1,
    browser: null,
    rendering: null,
    selectorRegions: null,
  },
  ...{ story: null, runId: "run_1", sha: null, screenshotId: "shot_1", fingerprint: null, originRunId: null },
  ...{ originScreenshotId: null, approvers: [], approvedBy: "user_1", approvedAt: new Date() },
});

const removedOf = (pages: number) => {
  const baselines = Array.from({ length: pages }, (_, index) => baselineOf(`/${index}`));
  const order = { base: MAIN, default: MAIN, own: MAIN, mergeBase: null };
  return removedPages(RUN, [], { order, latest: Map.groupBy(baselines, keyOf), atBase: new Map() });
};
const warningsWith = (removed: number) =>
  warningsOfRun({ warnings: [], recapturedAt: null }, { ...NO_TALLY, removed });

describe("removedPages", () => {
  it("lists as many pages as a run can capture, and the run says that there may be more", () => {
    const { length } = removedOf(BOUNDS.screenshots + 1);
    assert.equal(length, BOUNDS.screenshots);
    assert.deepEqual(warningsWith(length), [
      {
        message:
          "A run lists at most 2,000 removed screenshots, so there may be more. Approve these, then start another run.",
        place: null,
      },
    ]);
  });

  it("lists all pages of a project that a run can capture", () => {
    const removed = removedOf(3);
    assert.deepEqual(
      removed.map(({ route, status, baselineHash }) => `${route} ${status} ${baselineHash}`),
      ["/0 removed h", "/1 removed h", "/2 removed h"],
    );
    assert.deepEqual(warningsWith(removed.length), []);
  });
});
