import assert from "node:assert/strict";
import { join } from "node:path";
import { chromium } from "playwright";
import { browserArgs, omittedArgs } from "../../../shared/capture/browser/browser-args.ts";

describe("browser arguments", () => {
  let given: string;
  before(async () => {
    // This program is not a browser, so the error lists all start arguments.
    const error: Error = await chromium.launch({ executablePath: process.execPath }).then(
      () => new Error("It started."),
      error => error,
    );
    given = error.message;
  });

  const listOf = (text: string, name: string): string[] =>
    new RegExp(`${name}=(\\S+)`).exec(text)?.[1]?.split(",") ?? [];

  // Chromium uses only the last of each, which is ours. So it must contain everything.
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

  it("resolve no names in Chromium when there is a proxy", () => {
    const rules = (direct: boolean) =>
      browserArgs({ heapMiB: 1, direct }).filter(each => each.startsWith("--host-resolver-rules="));
    assert.deepEqual(rules(false), ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]);
    assert.deepEqual(rules(true), []);
  });

  it("omit Playwright's shared-memory argument when /dev/shm is large enough", async () => {
    const [leftOut = "", ...more] = await omittedArgs(import.meta.dirname);
    assert.ok(given.split(" ").includes(leftOut), leftOut);
    assert.deepEqual(more, []);
    assert.deepEqual(await omittedArgs(join(import.meta.dirname, "nowhere")), []);
  });
});
