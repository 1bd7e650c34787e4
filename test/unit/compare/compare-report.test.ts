import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { compareFolders } from "../../../cli/compare/compare-folders.ts";
import { readFromDisk, reportOfComparison } from "../../../cli/compare/comparison-report.ts";
import { ScreenshotsTestContext } from "../../support/contexts/screenshots-context.ts";
import { requireListed } from "../../support/tools/require-output.ts";

describe("the report of vrs compare", () => {
  let context: ScreenshotsTestContext;
  before(async () => {
    context = await ScreenshotsTestContext.start();
    for (const name of ["a", "b", "c"]) {
      await context.draw(`base/${name}.png`, "#036");
      await context.draw(`head/${name}.png`, "#c00");
    }
  });
  after(() => context?.stop());

  it("leaves out the images beyond its limit, and says so", async () => {
    const signal = new AbortController().signal;
    const sides = { base: "base", head: "head", cwd: context.root, signal, threshold: 0 };
    const { result, masks } = await compareFolders(sides);
    const readImage = readFromDisk(masks);
    const whole = await reportOfComparison(result, "vrs", readImage);
    const sizes = whole.screenshots.map(({ images, notes }) => {
      assert.deepEqual(notes, []);
      return Object.values(images).reduce((sum, url) => sum + (url?.length ?? 0), 0);
    });
    assert.ok(sizes.every(size => size > 0));
    const limited = await reportOfComparison(result, "vrs", readImage, sizes[0]);
    const shown = limited.screenshots.filter(({ images }) => images.current !== null);
    assert.equal(shown.length, 1);
    for (const { images, notes } of limited.screenshots.filter(shot => !shown.includes(shot))) {
      assert.deepEqual(images, { current: null, baseline: null, diff: null });
      assert.match(notes.join(), /images are omitted/);
    }
  });

  it("fails without losing the result", async () => {
    await context.write("taken/report.html/file", "");
    const args = ["compare", "base", "head", "--report", "taken/report.html"];
    const { code, out, err } = await context.vrs(...args, "--json");
    assert.deepEqual([code, requireListed("compare", out).report], [2, null]);
    assert.match(err, /taken\/report\.html/);
    assert.match((await context.vrs(...args)).out, /3 changed/);
    const written = await context.vrs("compare", "base", "head", "--report", "report.html");
    assert.equal(written.code, 1);
    assert.match(await readFile(join(context.root, "report.html"), "utf8"), /data:image\/png;base64/);
  });
});
