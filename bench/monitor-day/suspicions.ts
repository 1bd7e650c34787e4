import type { Region } from "../../shared/compare/comparison.ts";
import type { CheckScreenshot, EndedCheck } from "./read-checks.ts";

/** A page at a width that looked changed in a check's first run. No page changes, so each is an error. */
export interface Suspicion {
  page: string;
  /** Number of the hourly check, from 1. */
  hour: number;
  /** Whether the check confirmed it with its later runs. */
  isConfirmed: boolean;
  /** The screenshots of each of its runs. */
  screenshots: CheckScreenshot[];
}

/** Lists the hourly checks of each monitor: all but its first, which creates the baselines. */
export function hourlyChecks(checks: readonly EndedCheck[]): Map<string, number> {
  const byMonitor = Map.groupBy(checks, ({ monitor }) => monitor);
  return new Map([...byMonitor.values()].flatMap(ofOne => ofOne.slice(1).map(({ id }, at) => [id, at + 1])));
}

/** Lists what the hourly checks suspected. The last run of a page decides. */
export function suspicionsOf(
  hours: ReadonlyMap<string, number>,
  screenshots: readonly CheckScreenshot[],
): Suspicion[] {
  const hourly = screenshots.filter(({ checkId }) => hours.has(checkId));
  const byPage = Map.groupBy(
    hourly,
    screenshot => `${screenshot.checkId} ${screenshot.viewport} ${screenshot.route}`,
  );
  return [...byPage.values()].flatMap(unsorted => {
    const shown = unsorted.toSorted((a, b) => a.runNumber - b.runNumber);
    const [first, last] = [shown[0], shown.at(-1)];
    if (!first || !last || first.status === "unchanged") return [];
    const isConfirmed = last.status !== "unchanged";
    return [{ page: pageOf(first), hour: hours.get(first.checkId) ?? 0, isConfirmed, screenshots: shown }];
  });
}

/** Names a page, as `vis/index.html at 375 px`. */
export function pageOf({
  url,
  route,
  viewport,
}: Pick<CheckScreenshot, "url" | "route" | "viewport">): string {
  return `${new URL(url).pathname.slice(1)}${route} at ${viewport} px`;
}

/** Formats a region, as `10, 20 (60 × 20 px)`. */
export function regionInWords({ x, y, width, height }: Region): string {
  return `${x}, ${y} (${width} × ${height} px)`;
}

/** Describes what a check found on a page, in a sentence. */
export function suspicionInWords({ page, hour, isConfirmed, screenshots }: Suspicion): string {
  const seen = screenshots.map(screenshot => {
    if (screenshot.error !== null) return screenshot.error;
    const { diffPixels, regions, stable, moving } = screenshot;
    const [region] = regions;
    const where = region ? ` at ${regionInWords(region)}` : "";
    const how = stable === false ? `, unstable: ${moving.join(", ")}` : "";
    return diffPixels
      ? `${diffPixels.toLocaleString("en")} changed pixels${where}${how}`
      : `no changed pixel${how}`;
  });
  return `${page}, hour ${hour}, ${isConfirmed ? "confirmed" : "dismissed"}: ${seen.join("; then ")}.`;
}
