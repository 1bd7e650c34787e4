import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { IgnoreRegionView } from "../../../shared/contracts/noise/ignore-rules.ts";
import type { NoiseView } from "../../../shared/contracts/noise/noise.ts";
import type { Links } from "../../../shared/links/links.ts";
import type { StoredImage } from "./noise.store.ts";
import type { StoredRule } from "./noise-region.store.ts";
import type { SuggestedRegion } from "./suggest-regions.rule.ts";

const NO_REGION = { x: 0, y: 0, width: 0, height: 0 };

/** Returns an ignore rule as in the response of `GET /v1/ignore-regions`. */
export function viewOfRule({
  projectId: _projectId,
  scale: _scale,
  region,
  decidedBy,
  decidedAt,
  changedAt,
  expiresAt,
  ...rule
}: StoredRule): IgnoreRegionView {
  return {
    ...rule,
    ...(region ?? NO_REGION),
    ...{ acceptedBy: decidedBy, acceptedAt: decidedAt.toISOString() },
    changedAt: changedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}

/**
 * Returns a suggested ignore region as in the response of `GET /v1/noise`. @param image image of its latest screenshot,
 * if it exists
 */
export function viewOfSuggestion(
  { screenshotId: _screenshotId, at, ...suggestion }: SuggestedRegion & ScreenshotKey,
  image: StoredImage | undefined,
  teamId: string,
  links: Links,
): NoiseView["suggestions"][number] {
  const screenshot = image && {
    ...{ id: image.id, runId: image.runId, width: image.width, height: image.height },
    image: links.image(teamId, image.hash),
  };
  return { ...suggestion, lastAt: at.toISOString(), screenshot: screenshot ?? null };
}
