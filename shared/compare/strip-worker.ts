import { findChanges, type StripChanges, type StripCrop } from "./strip-changes.ts";

/** Judges one crop in a thread of its own. */
export default function judge(crop: StripCrop): StripChanges {
  return findChanges(crop);
}
