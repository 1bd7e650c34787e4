import type { ComparedPair, ComparisonView } from "../../shared/contracts/comparisons/comparisons.ts";
import { ownLink, type Screenshot } from "../api/screenshot.ts";
import { compareTexts } from "../texts/runs/compare.ts";

const STATUSES = { added: "new", comparing: "pending" } as const;

/** Returns a page of a comparison as a screenshot for the stage. */
export function screenshotOf(pair: ComparedPair, baseLabel: string): Screenshot {
  const { id, route, state, environment, viewport, base, head, status, images } = pair;
  return {
    ...{ id, route, state, environment, viewport },
    status: status === "added" || status === "comparing" ? STATUSES[status] : status,
    ...{ width: head?.width ?? null, height: head?.height ?? null, browser: head?.browser ?? null },
    ...{ diffRatio: pair.diffRatio, diffPixels: pair.diffPixels, faintPixels: pair.faintPixels },
    ...{ minor: pair.minor, regions: pair.regions },
    ...{ fingerprint: pair.fingerprint, explanation: pair.explanation, error: pair.error },
    baseline: base && {
      runId: base.runId ?? "",
      reason: compareTexts.baseOf(baseLabel),
      width: base.width ?? 0,
      height: base.height ?? 0,
    },
    images: {
      current: ownLink(images.current),
      baseline: ownLink(images.baseline),
      diff: ownLink(images.diff),
    },
    ...{ stable: true, moving: [], attempts: 1, notes: [], review: null, reviews: [], carried: null },
    ownDecision: null,
  };
}

/** Pages under one heading. */
export interface ComparedSection {
  name: keyof typeof compareTexts.sections;
  /** The cause of a group of changed pages, in words. Null if it is unknown. */
  cause: string | null;
  key: string;
  pairs: ComparedPair[];
}

const ORDER = ["comparing", "added", "removed", "failed"] as const;

/** Returns the pages by cause and status: changed groups first, then what is only on one side, then the rest. */
export function sectionsOf({ data, groups }: ComparisonView): ComparedSection[] {
  const byId = new Map(data.map(pair => [pair.id, pair]));
  const changed = groups.map(({ cause, pages }) => {
    const pairs = pages.flatMap(id => byId.get(id) ?? []);
    return { name: "changed" as const, cause, key: `changed ${pages[0]}`, pairs };
  });
  const of = (name: ComparedSection["name"], isIn: (pair: ComparedPair) => boolean): ComparedSection => {
    return { name, cause: null, key: name, pairs: data.filter(isIn) };
  };
  return [
    ...changed,
    ...ORDER.map(name => of(name, ({ status }) => status === name)),
    of("minor", ({ minor }) => minor),
    of("unchanged", ({ status, minor }) => status === "unchanged" && !minor),
  ].filter(({ pairs }) => pairs.length > 0);
}
