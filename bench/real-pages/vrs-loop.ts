/**
 * Captures with the project's own engine, warm, once per message. It captures the pages in the message at every width,
 * against baselines from its start. Then it reports which pages are larger than a capture.
 */
import { readFileSync } from "node:fs";
import { captureInPool } from "../../shared/capture/capture-in-pool.ts";
import { CaptureError } from "../../shared/capture/capture-types.ts";
import type { CaptureSet } from "../support/peer-tools.ts";
import { openLocalPool } from "./corpus/local-only.ts";
import { shareWork } from "./share-work.ts";

const captureSet: CaptureSet = JSON.parse(readFileSync("loop.json", "utf8"));
const pool = openLocalPool();
const hashes = new Map<string, string>();
const cut = new Set<string>();
/** Wider pages are cut without a message. */
const MAX_WIDTH_PX = 3840;

async function captureAll(pages: readonly string[]): Promise<void> {
  const captures = pages.flatMap(page => captureSet.widths.map(width => ({ page, width })));
  await shareWork(captures, async ({ page, width }) => {
    const key = `${page} ${width}`;
    const request = {
      url: `${captureSet.site}/${page}`,
      viewport: width,
      baselineHash: hashes.get(key) ?? null,
      options: {},
    };
    const captured = await captureInPool(pool, "time", request, new AbortController().signal);
    if (captured === null || captured instanceof CaptureError)
      throw captured ?? new Error(`${page} was not captured.`);
    if (!hashes.has(key)) hashes.set(key, captured.hash);
    if (captured.cutFromHeight !== null || captured.width >= MAX_WIDTH_PX) cut.add(page);
  });
}

await captureAll(captureSet.pages);
process.on("message", async message => {
  await captureAll(Array.isArray(message) ? message.map(String) : captureSet.pages);
  process.send?.("captured");
});
process.once("disconnect", () => void pool.close());
process.send?.([...cut]);
