import type { IgnoreRegionView, NoiseView } from "../../../shared/contracts/runs/noise.ts";
import type { Links } from "../../../shared/links/links.ts";
import type { PageKey } from "../baselines/scope.rule.ts";
import type { StoredImage } from "./noise.store.ts";
import type { IgnoreRegion } from "./noise-region.store.ts";
import type { SuggestedRegion } from "./suggest-regions.rule.ts";

/** An ignore region as `GET /v1/ignore-regions` answers it. */
export function viewOfIgnoreRegion({
  projectId: _projectId,
  decidedBy,
  decidedAt,
  ...region
}: IgnoreRegion): IgnoreRegionView {
  return { ...region, acceptedBy: decidedBy, acceptedAt: decidedAt.toISOString() };
}

/** A suggested ignore region as `GET /v1/noise` answers it. @param image of its latest screenshot, where that is kept */
export function viewOfSuggestion(
  { screenshotId: _screenshotId, at, ...suggestion }: SuggestedRegion & PageKey,
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
