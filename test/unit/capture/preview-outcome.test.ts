import assert from "node:assert/strict";
import { CaptureError } from "../../../shared/capture/capture-types.ts";
import { countsAlone } from "../../../shared/capture/story/preview-outcome.rule.ts";

describe("What a preview shows of a story", () => {
  it("counts without the story's own page if it is the baseline", () => {
    assert.equal(countsAlone({ stable: true }), true);
  });

  it("needs the story's own page if it differs, failed, or was ended before anything confirmed it", () => {
    assert.equal(countsAlone(null), false);
    assert.equal(countsAlone(new CaptureError("timeout", "The page did not end.")), false);
    assert.equal(countsAlone({ stable: false }), false);
  });
});
