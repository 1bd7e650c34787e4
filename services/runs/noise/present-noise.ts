import type { ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { IgnoreRegionView, NoiseView } from "../../../shared/contracts/runs/noise.ts";
import type { Links } from "../../../shared/links/links.ts";
import type { StoredImage } from "./noise.store.ts";
import type { IgnoreRegion } from "./noise-region.store.ts";
import type { SuggestedRegion } from "./suggest-regions.rule.ts";

/** Returns an ignore region as in the response of `GET /v1/ignore-regions`. */
export function viewOfIgnoreRegion({
  projectId: _projectId,
  decidedBy,
  decidedAt,
  ...region
}: IgnoreRegion): IgnoreRegionView {
  return { ...region, acceptedBy: decidedBy, acceptedAt: decidedAt.toISOString() };
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
