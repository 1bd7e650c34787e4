import { keyOf, type ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import type { Baseline, Baselines } from "../baselines/baselines.ts";

/** A screenshot whose baseline is wanted. */
interface NamedScreenshot extends ScreenshotKey {
  /** Earlier names, the latest first. */
  previousNames?: readonly string[] | undefined;
  /** Whether its width is that of its image. An image of another width is then the same screenshot. */
  hasOwnWidth: boolean;
}

/**
 * Returns a function that finds a screenshot's baseline: its own, the only one of its name at another width, or that
 * of a previous name.
 * @param current all screenshots of the folder, whose own baselines belong to no other
 */
export function pairBaselines(
  current: readonly ScreenshotKey[],
  baselines: Baselines,
): (shot: NamedScreenshot) => Baseline | null {
  const taken = new Set(current.map(keyOf));
  const names = new Set(current.map(nameIn));
  const free = Map.groupBy(
    baselines.all().filter(baseline => !taken.has(keyOf(baseline))),
    nameIn,
  );
  const onlyOne = (shot: ScreenshotKey) => {
    const [first = null, ...others] = free.get(nameIn(shot)) ?? [];
    return others.length === 0 ? first : null;
  };
  return shot => {
    const previous = (shot.previousNames ?? []).map(route => ({ ...shot, route }));
    for (const candidate of [shot, ...previous.filter(each => !names.has(nameIn(each)))]) {
      const found = baselines.of(candidate) ?? (shot.hasOwnWidth ? onlyOne(candidate) : null);
      if (found !== null) return found;
    }
    return null;
  };
}

const nameIn = ({ route, environment }: ScreenshotKey) => JSON.stringify([route, environment]);
