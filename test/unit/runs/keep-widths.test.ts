import assert from "node:assert/strict";
import {
  keepWidths,
  previousPages,
  type WidthOfPlanned,
} from "../../../services/runs/baselines/keep-widths.rule.ts";
import { type StoredUpload, storedUpload } from "../../../shared/contracts/builds/uploaded-screenshot.ts";

/** A page that has a baseline or a viewport. */
const page = (route: string, viewport: number, environment: string | null = null): WidthOfPlanned => ({
  ...{ route, state: null, environment, viewport },
});
/** An uploaded image without a viewport. */
const image = (route: string, viewport: number, previousNames?: string[]): WidthOfPlanned => ({
  ...page(route, viewport),
  hasImageWidth: true,
  ...(previousNames && { upload: uploadWith({ previousNames }) }),
});
const uploadWith = (fields: Partial<StoredUpload>): StoredUpload => storedUpload.parse(fields);
const widths = (planned: WidthOfPlanned[], baselines: WidthOfPlanned[]) =>
  keepWidths(planned, baselines).map(({ viewport }) => viewport);

describe("keepWidths", () => {
  it("gives an image that has become wider the width of its baseline", () => {
    assert.deepEqual(keepWidths([image("button", 130)], [page("button", 120)]), [image("button", 120)]);
  });

  it("keeps the width of an image that has a baseline, whatever other widths have one", () => {
    assert.deepEqual(widths([image("button", 130)], [page("button", 130), page("button", 120)]), [130]);
  });

  it("keeps a viewport", () => {
    assert.deepEqual(widths([page("button", 130)], [page("button", 120)]), [130]);
  });

  it("keeps the width without a baseline of that name and environment", () => {
    assert.deepEqual(widths([image("button", 130)], []), [130]);
    assert.deepEqual(widths([image("button", 130)], [page("link", 120), page("button", 120, "dark")]), [130]);
  });

  it("keeps the width if several baselines could be meant", () => {
    assert.deepEqual(widths([image("button", 130)], [page("button", 120), page("button", 140)]), [130]);
  });

  it("doesn't count baselines that other screenshots of the run have", () => {
    const planned = [image("button", 130), page("button", 140)];
    assert.deepEqual(widths(planned, [page("button", 120), page("button", 140)]), [120, 140]);
    assert.deepEqual(widths(planned, [page("button", 140)]), [130, 140]);
  });

  it("takes the baseline of a previous name, in the order of names", () => {
    const planned = [image("button", 130, ["knob", "key"])];
    assert.deepEqual(widths(planned, [page("key", 110)]), [110]);
    assert.deepEqual(widths(planned, [page("key", 110), page("knob", 120)]), [120]);
    assert.deepEqual(widths(planned, [page("key", 110), page("button", 100)]), [100]);
    assert.deepEqual(keepWidths(planned, [page("key", 110)])[0]?.route, "button");
  });

  it("keeps the width if a previous name has a baseline of it", () => {
    const planned = [image("button", 130, ["knob", "key"])];
    assert.deepEqual(widths(planned, [page("knob", 130), page("key", 110)]), [130]);
  });

  it("tries the next name if several baselines could be meant", () => {
    const baselines = [page("button", 100), page("button", 140), page("knob", 120)];
    assert.deepEqual(widths([image("button", 130, ["knob"])], baselines), [120]);
  });

  it("gives no width that another screenshot of the run has", () => {
    const planned = [image("button", 130, ["knob"]), page("button", 120)];
    assert.deepEqual(widths(planned, [page("knob", 120)]), [130, 120]);
  });
});

describe("previousPages", () => {
  it("returns a page for each previous name, and none without an upload", () => {
    const { route: _route, ...own } = page("button", 130, "dark");
    const renamed = {
      ...page("button", 130, "dark"),
      upload: uploadWith({ previousNames: ["knob", "key"] }),
    };
    assert.deepEqual(previousPages(renamed), [
      { route: "knob", ...own },
      { route: "key", ...own },
    ]);
    for (const upload of [undefined, null, uploadWith({})])
      assert.deepEqual(
        previousPages({ ...page("button", 130), ...(upload !== undefined && { upload }) }),
        [],
      );
  });
});
