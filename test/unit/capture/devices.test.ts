import assert from "node:assert/strict";
import { devices } from "playwright";
import { DEVICES } from "../../../shared/contracts/capture/devices.ts";
import { environmentsSchema } from "../../../shared/contracts/capture/environment.ts";

describe("list of devices", () => {
  it("has the names, viewports and scale factors of Playwright's devices", () => {
    const ofPlaywright = Object.entries(devices).map(([name, { viewport, deviceScaleFactor }]) => [
      name,
      { ...viewport, scale: deviceScaleFactor },
    ]);
    assert.deepEqual(Object.fromEntries(DEVICES), Object.fromEntries(ofPlaywright));
  });

  it("decides which environments Firefox can't emulate", () => {
    const refused = (device: string) =>
      !environmentsSchema.safeParse({ fox: { browser: "firefox", device } }).success;
    const mobile = Object.entries(devices).flatMap(([name, { isMobile }]) => (isMobile ? [name] : []));
    assert.deepEqual(Object.keys(devices).filter(refused), mobile);
    const flag = environmentsSchema.safeParse({ fox: { browser: "firefox", isMobile: true } });
    assert.match(flag.error?.message ?? "", /is firefox, which can't emulate phones and tablets/);
    assert.ok(environmentsSchema.safeParse({ safari: { browser: "webkit", device: "iPhone 15" } }).success);
  });
});
