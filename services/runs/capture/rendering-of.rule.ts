import type { Run } from "../run.entity.ts";

/** SQL for the fixed rendering of a screenshot `s` of a run `r`. Null until it is fixed. */
export const RENDERING_OF = "(r.renderings ->> coalesce(s.region, ''))";

/** Returns the key of a region in `renderings`. */
export function renderingKey(region: string | null): string {
  return region ?? "";
}

/** Returns the rendering that is fixed for a run's screenshots of a region. Null until it is fixed. */
export function renderingOf({ renderings }: Pick<Run, "renderings">, region: string | null): string | null {
  return renderings[renderingKey(region)] ?? null;
}
