import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { sumTimings } from "../../../shared/contracts/capture/timings.ts";

describe("The duration of a capture", () => {
  it("counts the response only as a part of the load", () => {
    assert.equal(sumTimings({ load: 300, response: 120, screenshot: 50 }), 350);
    assert.equal(sumTimings({}), 0);
  });
});
