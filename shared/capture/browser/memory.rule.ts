import type { BrowserProcess } from "./browser-processes.ts";

/**
 * What to end because it uses too much memory: nothing, one page's process, or the browser with the processes that
 * serve all pages.
 */
export type ProcessToEnd = { end: "nothing" } | { end: "browser" } | { end: "renderer"; pid: number };

/**
 * Decides which of a browser's processes to end. Each page may use `limitBytes`, in one process or, with frames of
 * other sites, in several.
 * @param pages open pages, including those that wait for their next screenshot
 */
export function chooseProcessToEnd(
  processes: readonly BrowserProcess[],
  { limitBytes, pages }: { limitBytes: number; pages: number },
): ProcessToEnd {
  if (sum(processes.filter(({ isRenderer }) => !isRenderer)) > limitBytes) return { end: "browser" };
  const renderers = processes.filter(({ isRenderer }) => isRenderer);
  const largest = renderers.toSorted((a, b) => b.residentBytes - a.residentBytes)[0];
  if (largest === undefined) return { end: "nothing" };
  const isOver = largest.residentBytes > limitBytes || sum(renderers) > limitBytes * Math.max(1, pages);
  return isOver ? { end: "renderer", pid: largest.pid } : { end: "nothing" };
}

function sum(processes: readonly BrowserProcess[]): number {
  return processes.reduce((total, { residentBytes }) => total + residentBytes, 0);
}
