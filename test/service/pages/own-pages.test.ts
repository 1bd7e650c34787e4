import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareScreenshots } from "../../../shared/compare/compare.ts";
import {
  BASELINES,
  captureOwnPages,
  hasLockedBrowser,
  type OwnShot,
} from "../../own-pages/capture-own-pages.ts";
import { OWN_PAGES, OWN_WIDTHS } from "../../own-pages/pages.ts";

/** Share of pixels that may differ between machines. */
const TOLERATED_RATIO = 0.0005;
/** Folder for differences, for later inspection. */
const DIFFERENT = join(tmpdir(), "vrs-own-pages");

describe("The dashboard's own pages", () => {
  let shots: Map<string, OwnShot>;

  before(async function () {
    if (!hasLockedBrowser) this.skip();
    shots = new Map((await captureOwnPages()).map(shot => [shot.name, shot]));
  });

  for (const { name, widths = OWN_WIDTHS } of OWN_PAGES) {
    it(`${name} looks as it was approved`, async () => {
      for (const width of widths) {
        const shot = shots.get(`${name}-${width}`);
        assert.ok(shot?.stable, "it keeps moving");
        const baseline = await readFile(new URL(`${shot.name}.png`, BASELINES));
        const { diffRatio, regions, mask } = await compareScreenshots(baseline, shot.png);
        if (diffRatio <= TOLERATED_RATIO) continue;
        await mkdir(DIFFERENT, { recursive: true });
        await writeFile(join(DIFFERENT, `${shot.name}.png`), shot.png);
        if (mask) await writeFile(join(DIFFERENT, `${shot.name}-difference.png`), mask);
        const where = regions
          .slice(0, 3)
          .map(({ x, y, width: w, height: h }) => `${w} × ${h} px at ${x},${y}`);
        assert.fail(
          `${shot.name} differs by ${(diffRatio * 100).toFixed(2)}%: ${where.join("; ")}. ` +
            `See ${DIFFERENT}; if it is meant, run node test/own-pages/approve.ts and commit the baselines.`,
        );
      }
    });
  }

  it("have no baselines of removed pages", async () => {
    const names = OWN_PAGES.flatMap(({ name, widths = OWN_WIDTHS }) =>
      widths.map(width => `${name}-${width}.png`),
    );
    assert.deepEqual((await readdir(BASELINES)).sort(), names.sort());
  });
});
