import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileImageStore } from "../../../mixins/images/file-image-store.ts";
import { comparePair } from "../../../services/differ/compare-pair.ts";
import { ComparePool } from "../../../shared/compare/compare-pool.ts";
import type { ResultJob } from "../../../shared/contracts/runs/jobs.ts";
import { encodePng } from "../../support/fixtures/png.ts";

describe("comparePair", () => {
  let folder: string;
  let pool: ComparePool;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-compare-pair-"));
    pool = new ComparePool({ threads: 1 });
  });
  after(async () => {
    await pool.close();
    await rm(folder, { recursive: true });
  });

  it("fails the screenshot for a damaged file, even if both are the same file, and says what to do", async () => {
    const whole = encodePng({ width: 40, height: 30, data: new Uint8Array(40 * 30 * 4).fill(255) });
    const images = await FileImageStore.open(folder);
    const [good, cut] = [await images.put(whole), await images.put(whole.subarray(0, whole.length - 12))];
    for (const [baselineHash, currentHash] of [
      [cut, cut],
      [cut, good],
      [good, cut],
    ] as const) {
      const results: ResultJob[] = [];
      const report = async (result: ResultJob) => void results.push(result);
      const job = { runId: "run_1", screenshotId: "1", token: "t", baselineHash, currentHash };
      await comparePair({ pool, images, report, warn: () => {} }, job, new AbortController().signal);
      const [failed] = results;
      assert(failed?.kind === "failed");
      assert.equal(
        failed.reason,
        "The screenshot could not be compared with its baseline: the PNG is damaged or incomplete. Submit a new run. If the page fails again, restore an earlier baseline of it.",
      );
    }
  });
});
