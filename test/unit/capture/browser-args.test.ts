import assert from "node:assert/strict";
import { join } from "node:path";
import { chromium } from "playwright";
import { browserArgs, omittedArgs } from "../../../shared/capture/browser/browser-args.ts";

describe("the browser's arguments", () => {
  let given: string;
  before(async () => {
    // A program that is no browser: the error names all that it was started with.
    const error: Error = await chromium.launch({ executablePath: process.execPath }).then(
      () => new Error("It started."),
      error => error,
    );
    given = error.message;
  });

  const listOf = (text: string, name: string): string[] =>
    new RegExp(`${name}=(\\S+)`).exec(text)?.[1]?.split(",") ?? [];

  // Chromium heeds the last of each, which is ours: what is missing in it would be lost.
  for (const name of ["--disable-features", "--blink-settings"]) {
    it(`repeat Playwright's own ${name}`, () => {
      const theirs = listOf(given, name);
      const ours = listOf(browserArgs({ heapMiB: 1 }).join(" "), name);
      assert.notEqual(theirs.length, 0);
      assert.deepEqual(
        theirs.filter(each => !ours.includes(each)),
        [],
      );
    });
  }

  it("leave all names to the proxy, where there is one", () => {
    const rules = (direct: boolean) =>
      browserArgs({ heapMiB: 1, direct }).filter(each => each.startsWith("--host-resolver-rules="));
    assert.deepEqual(rules(false), ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]);
    assert.deepEqual(rules(true), []);
  });

  it("leave out one of Playwright's own where there is room for shared memory", async () => {
    const [leftOut = "", ...more] = await omittedArgs(import.meta.dirname);
    assert.ok(given.split(" ").includes(leftOut), leftOut);
    assert.deepEqual(more, []);
    assert.deepEqual(await omittedArgs(join(import.meta.dirname, "nowhere")), []);
  });
});
