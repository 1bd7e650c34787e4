import assert from "node:assert/strict";
import {
  browserCandidates,
  browserEnvironment,
  hasPackagedBrowser,
  type Machine,
  printsVersion,
  systemFirefoxes,
} from "../../../shared/capture/browser/browser-choice.rule.ts";

const LINUX: Machine = { platform: "linux", arch: "x64", env: { HOME: "/home/ana" } };
const LINUX_ARM: Machine = { ...LINUX, arch: "arm64" };
const MAC: Machine = { platform: "darwin", arch: "arm64", env: { HOME: "/Users/ana" } };
const WINDOWS: Machine = {
  platform: "win32",
  arch: "x64",
  env: {
    ProgramFiles: "C:\\Program Files",
    "ProgramFiles(x86)": "C:\\Program Files (x86)",
    SystemRoot: "C:\\Windows",
    Path: "C:\\Windows\\system32",
    API_TOKEN: "secret",
  },
};

const candidates = (machine: Machine, playwright: string | null, existing: string[] = []) =>
  browserCandidates(machine, { chosen: null, playwright, exists: path => existing.includes(path) });

describe("choice of the browser", () => {
  it("tries only a chosen browser", () => {
    const found = { chosen: "/opt/chrome", playwright: "/cache/chrome", exists: () => true };
    assert.deepEqual(browserCandidates(MAC, found), [{ from: "chosen", path: "/opt/chrome" }]);
  });

  it("has a packaged browser on Linux x64 only", () => {
    assert.deepEqual([LINUX, LINUX_ARM, MAC, WINDOWS].map(hasPackagedBrowser), [true, false, false, false]);
  });

  it("knows where each system has Firefox", () => {
    assert.deepEqual(systemFirefoxes(LINUX), ["/usr/bin/firefox", "/usr/bin/firefox-esr"]);
    assert.deepEqual(systemFirefoxes(MAC), ["/Applications/Firefox.app/Contents/MacOS/firefox"]);
    assert.deepEqual(systemFirefoxes(WINDOWS), [
      "C:\\Program Files\\Mozilla Firefox\\firefox.exe",
      "C:\\Program Files (x86)\\Mozilla Firefox\\firefox.exe",
    ]);
  });

  it("prefers Playwright's browser, then the packaged one on Linux x64", () => {
    const chrome = "/usr/bin/google-chrome";
    assert.deepEqual(candidates(LINUX, null, [chrome]), [{ from: "package" }]);
    assert.deepEqual(candidates(LINUX, "/cache/shell"), [
      { from: "playwright", path: "/cache/shell" },
      { from: "package" },
    ]);
  });

  it("finds the system's browser where the package has none", () => {
    const chromium = "/usr/bin/chromium";
    assert.deepEqual(candidates(LINUX_ARM, null, [chromium]), [{ from: "system", path: chromium }]);
    const chrome = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
    const own = "/Users/ana/Applications/Chromium.app/Contents/MacOS/Chromium";
    assert.deepEqual(candidates(MAC, "/cache/shell", [own, chrome]), [
      { from: "playwright", path: "/cache/shell" },
      { from: "system", path: chrome },
      { from: "system", path: own },
    ]);
    const edge = "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe";
    assert.deepEqual(candidates(WINDOWS, null, [edge]), [{ from: "system", path: edge }]);
  });

  it("has no candidate on a machine without browsers", () => {
    for (const machine of [LINUX_ARM, MAC, WINDOWS]) assert.deepEqual(candidates(machine, null), []);
  });
});

describe("environment of the browser", () => {
  it("gives it a home of its own and no other variable", () => {
    assert.deepEqual(browserEnvironment(MAC, "/cache"), {
      HOME: "/cache",
      PATH: "/usr/local/bin:/usr/bin:/bin",
      LANG: "en_US.UTF-8",
      TZ: "UTC",
    });
  });

  it("keeps the variables that programs need on Windows", () => {
    const { API_TOKEN: _secret, ...kept } = WINDOWS.env;
    assert.deepEqual(browserEnvironment(WINDOWS, "C:\\cache"), { ...kept, LANG: "en_US.UTF-8", TZ: "UTC" });
  });

  it("asks no browser for its version on Windows, which would open a window", () => {
    assert.deepEqual([LINUX, MAC, WINDOWS].map(printsVersion), [true, true, false]);
  });
});
