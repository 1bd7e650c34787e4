import assert from "node:assert/strict";
import { devices } from "playwright";
import { DEVICES } from "../../../shared/contracts/runs/devices.ts";

describe("list of devices", () => {
  it("has the names, viewports and scale factors of Playwright's devices", () => {
    const ofPlaywright = Object.entries(devices).map(([name, { viewport, deviceScaleFactor }]) => [
      name,
      { ...viewport, scale: deviceScaleFactor },
    ]);
    assert.deepEqual(Object.fromEntries(DEVICES), Object.fromEntries(ofPlaywright));
  });
});
