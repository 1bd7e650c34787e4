import type { StoredUpload } from "../../../shared/contracts/builds/uploaded-screenshot.ts";
import { keyOf, type ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";

/** A planned screenshot, as far as its width is concerned. */
export interface WidthOfPlanned extends ScreenshotKey {
  upload?: StoredUpload | null;
  /** Whether `viewport` is the width of the image, because the upload has no viewport. */
  hasImageWidth?: boolean;
}

/**
 * Gives uploaded screenshots without a viewport the width of their baseline. An image that has become wider or narrower
 * stays the same screenshot then. Its baseline is that of its own name, or else of a previous name. It has to be the only
 * one of that name and environment that no other screenshot of the run has.
 * @param baselines pages that have a baseline
 */
export function keepWidths<Planned extends WidthOfPlanned>(
  planned: readonly Planned[],
  baselines: readonly ScreenshotKey[],
): Planned[] {
  const taken = new Set(planned.map(keyOf));
  const known = new Set(baselines.map(keyOf));
  const free = Map.groupBy(
    baselines.filter(baseline => !taken.has(keyOf(baseline))),
    nameIn,
  );
  return planned.map(screenshot => {
    if (!screenshot.hasImageWidth) return screenshot;
    for (const page of [screenshot, ...previousPages(screenshot)]) {
      if (known.has(keyOf(page))) return screenshot;
      const [baseline, ...others] = free.get(nameIn(page)) ?? [];
      if (!baseline || others.length > 0) continue;
      const kept = { ...screenshot, viewport: baseline.viewport };
      if (!taken.has(keyOf(kept))) return kept;
    }
    return screenshot;
  });
}

/** Returns an uploaded screenshot under its previous names. */
export function previousPages({ upload, state, environment, viewport }: WidthOfPlanned): ScreenshotKey[] {
  return (upload?.previousNames ?? []).map(route => ({ route, state, environment, viewport }));
}

function nameIn({ route, environment }: ScreenshotKey): string {
  return JSON.stringify([route, environment]);
}
