import assert from "node:assert/strict";
import sharp from "sharp";
import type { PooledCapture } from "../../../shared/capture/capture-in-pool.ts";
import { type Capture, CaptureError } from "../../../shared/capture/capture-types.ts";

/** Returns the capture of a state that must not fail. */
export function captured(outcome: PooledCapture | CaptureError | undefined): PooledCapture {
  if (outcome === undefined) throw new Error("There is no capture.");
  if (outcome instanceof CaptureError) throw outcome;
  return outcome;
}

/** Returns the error of a state that must fail. */
export function failed(outcome: PooledCapture | CaptureError | undefined): CaptureError {
  assert.ok(outcome instanceof CaptureError, "The page was captured, but should have failed.");
  return outcome;
}

/** Returns the colors of an image at points, as `#rrggbb`. */
export async function colorsAt({ png }: Capture, ...points: [x: number, y: number][]): Promise<string[]> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return points.map(([x, y]) => {
    const at = (y * info.width + x) * info.channels;
    return `#${data.subarray(at, at + 3).toString("hex")}`;
  });
}
