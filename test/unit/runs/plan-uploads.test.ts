import assert from "node:assert/strict";
import { lastAttempts, listedOf, planUploads } from "../../../services/runs/builds/plan-uploads.rule.ts";
import { createBuildBody } from "../../../shared/contracts/builds/builds.ts";
import {
  screenshotName,
  type UploadedScreenshotInput,
  uploadedScreenshot,
} from "../../../shared/contracts/builds/uploaded-screenshot.ts";

const [one, two] = ["1".repeat(64), "2".repeat(64)];

function shot(hash: string, more: Partial<UploadedScreenshotInput> = {}) {
  return uploadedScreenshot.parse({ name: "Card", hash, ...more });
}

describe("The screenshots of a build", () => {
  it("counts the last attempt of a test", () => {
    const cases = [
      { shots: [shot(one, { retry: 1 }), shot(two)], hashes: [one] },
      { shots: [shot(one), shot(two, { retry: 2 })], hashes: [two] },
      { shots: [shot(one), shot(one)], hashes: [one] },
      { shots: [shot(one), shot(two, { environment: "firefox" })], hashes: [one, two] },
      { shots: [shot(one), shot(two, { viewport: { width: 400 } })], hashes: [one, two] },
    ];
    for (const { shots, hashes } of cases) {
      const result = lastAttempts(shots);
      assert.deepEqual("listed" in result && result.listed.map(({ hash }) => hash), hashes);
    }
  });

  it("names a screenshot that is listed twice with other bytes", () => {
    assert.deepEqual(lastAttempts([shot(one, { name: "a" }), shot(one), shot(two)]), { duplicate: 2 });
  });

  it("takes the width of the image without a viewport, and one screenshot per width", () => {
    const image = { imageHash: one, imageWidth: 800, imageHeight: 600 };
    const plan = (shots: ReturnType<typeof shot>[]) =>
      planUploads(
        shots.map(each => ({ ...listedOf(each), ...image, imageHash: each.hash })),
        { threshold: 0.3 },
      );
    const [planned] = plan([shot(one, { browser: "Firefox 140", tags: ["a", "a"], threshold: 0 })]);
    assert.deepEqual(planned, {
      ...{ route: "Card", state: null, environment: null, viewport: 800, viewportHeight: 800 },
      ...{ threshold: 0, colorThreshold: 0.1, ignoreRegions: [] },
      ...{ hash: one, width: 800, height: 600, browser: "Firefox 140", upload: { tags: ["a"] } },
      hasImageWidth: true,
    });
    const same = [shot(one, { viewport: { width: 800 }, retry: 1 }), shot(two)];
    assert.deepEqual(
      plan(same).map(({ hash, threshold }) => [hash, threshold]),
      [[one, 0.3]],
    );
  });

  it("refuses names that could be routes, paths out of a folder, or hide characters", () => {
    for (const name of ["/", "/Card", "\\Card", "a/../b", "..", "a\nb", "a\0", "", " ", "x".repeat(301)])
      assert.equal(screenshotName.safeParse(name).success, false, JSON.stringify(name));
    for (const name of ["Card", "Button/primary", "Loading...", "ünï", "x".repeat(300)])
      assert.equal(screenshotName.safeParse(name).success, true, name);
  });

  it("refuses builds without a project, shards without a name, and names with a slash", () => {
    const pathsOf = (body: object) =>
      createBuildBody.safeParse(body).error?.issues.map(({ path }) => path.join(".")) ?? [];
    assert.deepEqual(pathsOf({}), ["project"]);
    assert.deepEqual(pathsOf({ project: "p", parallel: { nonce: "1" } }), ["shard"]);
    assert.deepEqual(pathsOf({ project: "p", name: "a/b" }), ["name"]);
    assert.deepEqual(pathsOf({ project: "p", screenshots: Array(501).fill(shot(one)) }), ["screenshots"]);
  });
});
