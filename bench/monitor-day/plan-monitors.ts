import type { MonitorOptions } from "../../shared/contracts/capture/capture-options.ts";
import type { Site } from "../real-pages/corpus/site.ts";

/** Maximum screenshots of one monitor. */
const MAX_SCREENSHOTS = 100;

/** A monitor of some pages of one site. */
export interface PlannedMonitor {
  site: string;
  name: string;
  url: string;
  routes: string[];
  viewports: number[];
  options?: MonitorOptions;
}

/** Plans monitors over all pages of the sites at all widths, as few per site as possible. */
export function planMonitors(
  sites: readonly Site[],
  { url, widths }: { url: string; widths: number[] },
): PlannedMonitor[] {
  const pagesEach = Math.floor(MAX_SCREENSHOTS / widths.length);
  return sites.flatMap(({ name, pages }) =>
    Array.from({ length: Math.ceil(pages.length / pagesEach) }, (_, index) => ({
      site: name,
      name: `${name} ${index + 1}`,
      url: `${url}/${name}`,
      routes: pages.slice(index * pagesEach, (index + 1) * pagesEach).map(page => `/${page}`),
      viewports: widths,
    })),
  );
}
