import { decodePng } from "../../../shared/compare/bitmap.ts";
import { openPng } from "../../../shared/compare/png-file.ts";

/**
 * Returns the greatest step of a color channel between two images, 0–255, or 255 when their sizes differ. It is
 * independent of the comparison's rules, so that it can verify them too.
 */
export async function greatestStep(before: Buffer, after: Buffer): Promise<number> {
  const [a, b] = await Promise.all([decodePng(openPng(before)), decodePng(openPng(after))]);
  if (a.width !== b.width || a.height !== b.height) return 255;
  let step = 0;
  for (let index = 0; index < a.data.length; index++)
    step = Math.max(step, Math.abs((a.data[index] ?? 0) - (b.data[index] ?? 0)));
  return step;
}
