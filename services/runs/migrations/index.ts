import { BaselineHistory } from "./2026-11-21-baseline-history.ts";
import { FailureBlame } from "./2026-11-21-failure-blame.ts";
import { Fleet } from "./2026-11-21-fleet.ts";
import { ImageReferences } from "./2026-11-21-image-references.ts";
import { MergeBase } from "./2026-11-21-merge-base.ts";
import { Retention } from "./2026-11-21-retention.ts";
import { Reviews } from "./2026-11-21-reviews.ts";
import { RunsAndBaselines } from "./2026-11-21-runs-and-baselines.ts";
import { ColorThreshold } from "./2026-11-22-color-threshold.ts";
import { MissingResources } from "./2026-11-22-missing-resources.ts";
import { Restless } from "./2026-11-22-restless.ts";
import { RunBranches } from "./2026-11-22-run-branches.ts";
import { RunsOfPeople } from "./2026-11-22-runs-of-people.ts";
import { MinorChanges } from "./2026-11-23-minor-changes.ts";
import { LinkGeneration } from "./2026-11-24-link-generation.ts";
import { Noise } from "./2026-11-24-noise.ts";
import { NullReruns } from "./2026-11-24-null-reruns.ts";
import { SealedLinkKey } from "./2026-11-24-sealed-link-key.ts";

/** In the order in which they run; a name is never changed, nor a migration once released. */
export const migrations = [
  { name: "2026-11-21-runs-and-baselines", class: RunsAndBaselines },
  { name: "2026-11-21-fleet", class: Fleet },
  { name: "2026-11-21-image-references", class: ImageReferences },
  { name: "2026-11-21-retention", class: Retention },
  { name: "2026-11-21-reviews", class: Reviews },
  { name: "2026-11-21-failure-blame", class: FailureBlame },
  { name: "2026-11-21-merge-base", class: MergeBase },
  { name: "2026-11-21-baseline-history", class: BaselineHistory },
  { name: "2026-11-22-runs-of-people", class: RunsOfPeople },
  { name: "2026-11-22-run-branches", class: RunBranches },
  { name: "2026-11-22-color-threshold", class: ColorThreshold },
  { name: "2026-11-22-missing-resources", class: MissingResources },
  { name: "2026-11-22-restless", class: Restless },
  { name: "2026-11-23-minor-changes", class: MinorChanges },
  { name: "2026-11-24-noise", class: Noise },
  { name: "2026-11-24-null-reruns", class: NullReruns },
  { name: "2026-11-24-sealed-link-key", class: SealedLinkKey },
  { name: "2026-11-24-link-generation", class: LinkGeneration },
];
