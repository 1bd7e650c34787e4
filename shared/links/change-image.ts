import type { Region } from "../compare/comparison.ts";

/** An image of a change: a part of three stored images, by their SHA-256. */
export interface ChangeImage {
  baseline: string;
  current: string;
  diff: string;
  /** In px of the images. */
  crop: Region;
}

const NAME = /^([0-9a-f]{64})-([0-9a-f]{64})-([0-9a-f]{64})-(\d{1,5})-(\d{1,5})-(\d{1,5})-(\d{1,5})$/;

/** Returns the name of a change's image. No stored image has such a name. */
export function nameOfChange({ baseline, current, diff, crop }: ChangeImage): string {
  return [baseline, current, diff, crop.x, crop.y, crop.width, crop.height].join("-");
}

/** Reads such a name. Returns null for any other. */
export function readChangeName(name: string): ChangeImage | null {
  const [, baseline, current, diff, ...numbers] = NAME.exec(name) ?? [];
  if (baseline === undefined || current === undefined || diff === undefined) return null;
  const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number);
  return { baseline, current, diff, crop: { x, y, width, height } };
}
