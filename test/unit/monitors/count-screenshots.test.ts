import assert from "node:assert/strict";
import type { MonitorOptions } from "../../../shared/contracts/capture/capture-options.ts";
import { countScreenshots } from "../../../shared/contracts/monitors/monitors.ts";

describe("The number of screenshots of a check", () => {
  const count = (options: MonitorOptions, regions: string[] = []) =>
    countScreenshots({ routes: ["/", "/a"], viewports: [375, 1280], options, regions });

  it("has all states in all environments and viewports", () => {
    assert.equal(count({}), 4);
    const steps = [{ action: "screenshot" as const }, { action: "screenshot" as const, name: "again" }];
    assert.equal(count({ environments: { dark: {} }, perRoute: { "/a": { steps } } }), 4 + 8);
  });

  it("has those of each region", () => {
    assert.equal(count({}, ["eu-west"]), 4);
    assert.equal(count({ environments: { dark: {} } }, ["eu-west", "us-east", "ap-south"]), 3 * 8);
  });

  it("includes environments of the project of all monitors, which only the service knows", () => {
    assert.equal(count({ perRoute: { "/a": { environments: ["dark"] } } }), 2 + 2);
    assert.equal(count({ perRoute: { "/a": { environments: ["default", "dark"] } } }), 4 + 2);
  });
});
