import type { ScreenshotView } from "../../shared/contracts/runs/screenshots.ts";
import { DEMO_TEXTS } from "../texts/demo.ts";

type Shown = Pick<ScreenshotView, "route" | "viewport" | "status" | "regions">;

/** In order of importance to the reader. */
const STATUSES = ["changed", "new", "removed", "failed", "pending", "unchanged"] as const;

export interface DemoResult {
  ok: boolean;
  line: string;
}

/**
 * Decides whether the second run found every edit and nothing else.
 *
 * @param expected number of edits per screenshot, by `route viewport`; each edit is a separate region
 */
export function compareWithExpected(screenshots: Shown[], expected: Map<string, number>): DemoResult {
  const tally = STATUSES.map(
    status => [screenshots.filter(shot => shot.status === status).length, status] as const,
  )
    .filter(([count]) => count > 0)
    .map(([count, status]) => `${count} ${status}`)
    .join(", ");
  const found = new Map(
    screenshots
      .filter(({ status }) => status !== "unchanged")
      .map(({ route, viewport, regions }) => [`${route} ${viewport}`, regions.length]),
  );
  const missed = [...expected].filter(([name, edits]) => (found.get(name) ?? 0) < edits);
  const surplus = [...found.keys()].filter(name => !expected.has(name));
  if (missed.length + surplus.length === 0) {
    return { ok: true, line: DEMO_TEXTS.asExpected(tally) };
  }
  const failures = [
    ...missed.map(([name, edits]) => DEMO_TEXTS.missed(name, found.get(name) ?? 0, edits)),
    ...surplus.map(name => DEMO_TEXTS.surplus(name)),
  ];
  return { ok: false, line: DEMO_TEXTS.unexpected(tally, failures) };
}
