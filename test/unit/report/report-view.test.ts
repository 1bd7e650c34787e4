import assert from "node:assert/strict";
import fc from "fast-check";
import { thumbnailOf } from "../../../shared/report/crop.ts";
import {
  centerOn,
  clampView,
  viewOfRegion,
  zoomAt,
  zoomToFit,
  zoomToWidth,
} from "../../../shared/report/page/view.js";
import { screenshot } from "../../support/fixtures/report-sample.ts";

const sheet = { width: 1280, height: 3000 };
const pane = { width: 680, height: 740 };

describe("the view of the viewer", () => {
  it("fits the page or its width without enlarging it", () => {
    assert.equal(zoomToFit(sheet, pane), 740 / 3000);
    assert.equal(zoomToWidth(sheet, pane), 680 / 1280);
    assert.equal(zoomToFit({ width: 100, height: 100 }, pane), 1);
  });

  it("shows a region in the center of the pane", () => {
    const view = viewOfRegion({ x: 600, y: 1500, width: 80, height: 40 }, 0.8, sheet, pane);
    assert.equal(view.zoom, 0.8);
    assert.equal(view.x + 640 * 0.8, pane.width / 2);
    assert.equal(view.y + 1520 * 0.8, pane.height / 2);
  });

  it("shows a region taller than the pane from its top", () => {
    const { zoom, y } = viewOfRegion({ x: 0, y: 400, width: 1280, height: 2400 }, 0.5, sheet, pane);
    const top = y + 400 * zoom;
    assert.ok(top > 0 && top < pane.height / 4, `its top is at ${top} px`);
  });

  it("keeps the point under the pointer in place", () => {
    const before = clampView({ zoom: 0.6, x: -100, y: -900 }, sheet, pane);
    const point = { x: 300, y: 350 };
    const after = zoomAt(before, 0.9, point, sheet, pane);
    const under = (view: typeof before) => [(point.x - view.x) / view.zoom, (point.y - view.y) / view.zoom];
    for (const [axis, value] of under(after).entries()) {
      assert.ok(Math.abs(value - (under(before)[axis] ?? 0)) < 1e-6);
    }
  });

  it("leaves no empty space on one side while the page is cut on the other", () => {
    const length = fc.integer({ min: 1, max: 20_000 });
    const size = fc.record({ width: length, height: length });
    const view = fc.record({ zoom: fc.double({ min: 0.02, max: 16, noNaN: true }), x: length, y: length });
    fc.assert(
      fc.property(size, size, view, (page, port, wanted) => {
        for (const clamped of [clampView(wanted, page, port), centerOn(wanted, wanted, page, port)]) {
          const free = port.width - page.width * clamped.zoom;
          if (free < 0) assert.ok(clamped.x <= 0 && clamped.x >= free);
          else assert.equal(clamped.x, free / 2);
        }
      }),
    );
  });
});

describe("the thumbnail of a card", () => {
  const images = { current: "/c.png", baseline: "/b.png", diff: null };

  it("lies on the page and holds the first region", () => {
    const arbitrary = fc.record({
      x: fc.integer({ min: 0, max: 1200 }),
      y: fc.integer({ min: 0, max: 2900 }),
      width: fc.integer({ min: 1, max: 80 }),
      height: fc.integer({ min: 1, max: 100 }),
    });
    fc.assert(
      fc.property(arbitrary, region => {
        const crop = thumbnailOf(screenshot({ id: "a", images, regions: [region] }))?.crop;
        assert.ok(
          crop && crop.x >= 0 && crop.x + crop.width <= 1280 && crop.y >= 0 && crop.y + crop.height <= 3000,
        );
        assert.ok(crop.x <= region.x && region.x + region.width <= crop.x + crop.width);
        assert.ok(crop.y <= region.y && region.y + region.height <= crop.y + crop.height);
      }),
    );
  });

  it("shows the baseline if the new page ends above the change", () => {
    const below = { x: 0, y: 2500, width: 1280, height: 500 };
    const shot = screenshot({ id: "a", images, height: 2500, regions: [below] });
    assert.equal(thumbnailOf(shot)?.side, "baseline");
    assert.equal(thumbnailOf({ ...shot, height: 3000 })?.side, "current");
  });

  it("is missing without an image", () => {
    assert.equal(thumbnailOf(screenshot({ id: "a" })), null);
  });
});
