/** One edit of the site's sources, and the screenshots that show it. */
export interface SiteChange {
  /** A description, as in release notes. */
  what: string;
  /** Path below `cli/demo/site`. */
  file: string;
  find: string;
  replace: string;
  /** Affected routes. */
  routes: string[];
  /** Smallest viewport that shows it, px. */
  fromViewport: number;
}

/** The edits of the second version: an ordinary release with three bugs. */
export const SECOND_VERSION: SiteChange[] = [
  {
    what: "The header button turns coral on wide pages",
    file: "site.css",
    find: "--call: var(--sun);",
    replace: "--call: #ff8a70;",
    routes: ["/", "/pricing", "/guide", "/gallery", "/dashboard", "/about", "/changelog", "/contact"],
    fromViewport: 761,
  },
  {
    what: "The Quay plan costs €59 instead of €49",
    file: "pages/pricing.html",
    find: "€49 <small>",
    replace: "€59 <small>",
    routes: ["/pricing"],
    fromViewport: 0,
  },
  {
    what: "Bug: the middle card on the home page is 14 px too low",
    file: "pages/home.html",
    find: '<article class="card berths reveal">',
    replace: '<article class="card berths reveal" style="position: relative; top: 14px">',
    routes: ["/"],
    fromViewport: 0,
  },
  {
    what: "Bug: a misspelled CSS variable removes the colors of the chart legend",
    file: "site.css",
    find: "background: var(--series);",
    replace: "background: var(--serie);",
    routes: ["/dashboard"],
    fromViewport: 0,
  },
  {
    what: "Bug: an image in the gallery is missing",
    file: "pages/gallery.html",
    find: "/images/brae-sound.svg",
    replace: "/images/brae-sound-large.svg",
    routes: ["/gallery"],
    fromViewport: 0,
  },
  {
    what: "The changelog has a new entry",
    file: "pages/changelog.html",
    find: '<section class="wrap entries">',
    replace: `<section class="wrap entries">
  <article class="entry"><div><b>4.8</b><time datetime="2025-08-11">11 August 2025</time></div><div><h2>Two sills, one passage</h2><p>A boat bound for the upper basin crosses both sills, and the board now plans for the one that dries first.</p><ul><li>Arrival slots count the time between the gates.</li><li>Messages name the gate that a skipper should watch.</li></ul></div></article>`,
    routes: ["/changelog"],
    fromViewport: 0,
  },
];

/**
 * Returns the number of visible edits per screenshot, by `route viewport`. Leaves out screenshots without
 * one.
 */
export function expectedChanges(routes: string[], viewports: number[]): Map<string, number> {
  const counted = routes.flatMap(route =>
    viewports.map((viewport): [string, number] => {
      const touching = SECOND_VERSION.filter(
        change => change.routes.includes(route) && viewport >= change.fromViewport,
      );
      return [`${route} ${viewport}`, touching.length];
    }),
  );
  return new Map(counted.filter(([, count]) => count > 0));
}
