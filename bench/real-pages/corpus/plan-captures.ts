import { Random } from "../../soak/random.ts";
import type { Site } from "./site.ts";

/** Widths of every page, px: a phone, a tablet, a laptop. */
export const WIDTHS = [375, 768, 1280];

/** One page of the corpus at one width. */
export interface PlannedCapture {
  site: string;
  /** Path of the page on the corpus server, without the first slash. */
  page: string;
  width: number;
}

/** Draws at most this many pages of each site, by a seed; all of them without a number. */
export function samplePages(sites: readonly Site[], pagesPerSite: number | null, seed: number): Site[] {
  if (pagesPerSite === null) return [...sites];
  return sites.map(site => ({
    ...site,
    pages: new Random(seed, site.name).shuffled(site.pages).slice(0, pagesPerSite),
  }));
}

/** Lists every page of the sites at every width. */
export function planCaptures(sites: readonly Site[]): PlannedCapture[] {
  return sites.flatMap(({ name, pages }) =>
    pages.flatMap(page => WIDTHS.map(width => ({ site: name, page: `${name}/${page}`, width }))),
  );
}

/** Names a capture, as `tabler/index.html at 375 px`. */
export function nameOf({ page, width }: PlannedCapture): string {
  return `${page} at ${width} px`;
}
