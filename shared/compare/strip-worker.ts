import { type Crop, findChanges, type StripChanges } from "./strip-changes.ts";

/** Judges one crop in a thread of its own. */
export default function judge(crop: Crop): StripChanges {
  return findChanges(crop);
}
