import assert from "node:assert/strict";
import { uniqueEnvironments, uniqueWidths } from "../../../dashboard/api/screenshot.ts";
import { rowsOf } from "../../../dashboard/baselines/baseline-rows.ts";
import { comparisonOf } from "../../../dashboard/baselines/comparison.ts";
import { thumbnailAddress } from "../../../dashboard/ui/screenshots/thumbnail-address.ts";
import type { BaselineEntry } from "../../../shared/contracts/runs/baselines.ts";

const link = (name: string) => `https://vrs.example/v1/images/team_1/sig/${name}.png`;

const entry = (id: string, fields: Partial<BaselineEntry> = {}): BaselineEntry => ({
  ...{ id, project: "shop", route: "/", state: null, environment: null, viewport: 1280 },
  ...{ branch: "main", pr: null, commit: null },
  ...{ inForce: false, removed: false, width: 1280, height: 900, browser: null, image: link(id) },
  ...{ runId: `run_${id}`, screenshotId: `shot_${id}`, runKept: true, approvedBy: ["ada"] },
  ...{ approvedAt: "2026-01-01T00:00:00.000Z", carriedFrom: null, restored: null, change: null },
  ...fields,
});

const change = (before: string): BaselineEntry["change"] => ({
  ...{ diffRatio: 0.2, regions: [{ x: 1, y: 2, width: 3, height: 4 }], width: 1280, height: 800 },
  images: { current: null, baseline: link(before), diff: link("mask") },
});

describe("an approval beside the one before it", () => {
  it("has the mask and the regions of the comparison that was approved", () => {
    const latest = entry("b", { change: change("a") });
    const shot = comparisonOf([latest, entry("a")], latest);
    assert.equal(shot.status, "changed");
    assert.equal(shot.images.baseline, "v1/images/team_1/sig/a.png");
    assert.equal(shot.images.diff, "v1/images/team_1/sig/mask.png");
    assert.equal(shot.regions.length, 1);
    assert.deepEqual([shot.baseline?.width, shot.baseline?.height], [1280, 900]);
  });

  it("has neither after a restored baseline", () => {
    const latest = entry("b", { change: change("z") });
    const shot = comparisonOf([latest, entry("a")], latest);
    assert.equal(shot.images.baseline, "v1/images/team_1/sig/a.png");
    assert.deepEqual([shot.images.diff, shot.regions, shot.diffRatio], [null, [], null]);
  });

  it("is of the same branch or pull request, otherwise compared with the former baseline", () => {
    const pulled = entry("p", { branch: null, pr: 7, change: change("m") });
    const shot = comparisonOf([pulled, entry("a"), entry("q", { branch: null, pr: 8 })], pulled);
    assert.equal(shot.images.baseline, "v1/images/team_1/sig/m.png");
    assert.deepEqual([shot.baseline?.width, shot.baseline?.height], [1280, 800]);
    assert.equal(shot.images.diff, "v1/images/team_1/sig/mask.png");
  });

  it("stands alone as the first one, and shows the baseline before a removal", () => {
    const first = entry("a");
    assert.equal(comparisonOf([first], first).status, "new");
    const removal = entry("r", { removed: true, image: null, width: null, height: null });
    const shot = comparisonOf([removal, first], removal);
    assert.equal(shot.status, "removed");
    assert.equal(shot.images.current, null);
    assert.equal(shot.images.baseline, "v1/images/team_1/sig/a.png");
  });
});

describe("the grid of baselines", () => {
  it("has a row per route, the narrowest width first, and only the selected width", () => {
    const list = [
      entry("1", { route: "/a", viewport: 1280 }),
      entry("2", { route: "/a", viewport: 375 }),
      entry("3", { route: "/b", viewport: 768 }),
    ];
    assert.deepEqual(uniqueWidths(list), [375, 768, 1280]);
    const ids = (viewport: number | null) =>
      rowsOf(list, { viewport, environment: null }).map(row => [
        row.name,
        ...row.baselines.map(({ id }) => id),
      ]);
    assert.deepEqual(ids(null), [
      ["/a", "2", "1"],
      ["/b", "3"],
    ]);
    assert.deepEqual(ids(768), [["/b", "3"]]);
  });

  it("has a row per state and environment, and only the selected environment", () => {
    const list = [
      entry("1", { route: "/a" }),
      entry("2", { route: "/a", environment: "dark" }),
      entry("3", { route: "/a", state: "menu open", environment: "dark" }),
    ];
    assert.deepEqual(uniqueEnvironments(list), ["default", "dark"]);
    const names = (environment: string | null) =>
      rowsOf(list, { viewport: null, environment }).map(({ name }) => name);
    assert.deepEqual(names(null), ["/a", "/a (dark)", "/a › menu open (dark)"]);
    assert.deepEqual(names("default"), ["/a"]);
    assert.deepEqual(names("dark"), ["/a (dark)", "/a › menu open (dark)"]);
  });
});

describe("the URL of a thumbnail", () => {
  const page = (width: number, height = 2_000) => ({ width, height });

  it("has the smallest sharp width, and never more than the page", () => {
    assert.equal(thumbnailAddress("x", page(1280), 150), "x?w=160");
    assert.equal(thumbnailAddress("x", page(1280), 161), "x?w=320");
    assert.equal(thumbnailAddress("x", page(375), 2_000), "x?w=640");
    assert.equal(thumbnailAddress("x", page(3840), 5_000), "x?w=1280");
  });

  it("has a limited width for a long page", () => {
    assert.equal(thumbnailAddress("x", page(1280, 20_000), 1_280), "x?w=640");
    assert.equal(thumbnailAddress("x", page(1280, 20_000), 1_280, 3), "x?w=1280&band=3");
  });
});
