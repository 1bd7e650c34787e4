import assert from "node:assert/strict";
import { chromium } from "playwright";
import { browserArgs } from "../../shared/capture/browser-args.ts";

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
});
