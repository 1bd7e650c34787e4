/** How much data an installation has. */
export interface Size {
  name: string;
  teams: number;
}

/** Of each team. */
export const PROJECTS = 10;
/** Of each project. */
export const RUNS = 10;
/** Of each run. Each has a baseline in its project. */
export const PAGES = 10;
/** Of each team. */
export const MONITORS = 10;
/** Of each monitor. */
export const CHECKS = 10;

/** Returns an installation with this many teams, and with its numbers as a name. */
export function sizeOf(teams: number): Size {
  const screenshots = teams * PROJECTS * RUNS * PAGES;
  return { name: `${screenshots.toLocaleString("en")} screenshots`, teams };
}
