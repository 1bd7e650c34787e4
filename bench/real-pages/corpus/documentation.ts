import { pages, type Site } from "./site.ts";

/** Documentation, some of it on one very tall page. */
export const DOCUMENTATION: Site[] = [
  {
    name: "npm-docs",
    package: "npm",
    root: "docs/output",
    pages: pages(`
      commands/npm commands/npm-audit commands/npm-exec commands/npm-help commands/npm-install commands/npm-query
      commands/npm-sbom configuring-npm/folders configuring-npm/package-json using-npm/config using-npm/logging
      using-npm/scripts
    `),
  },
  {
    name: "spectre",
    package: "spectre.css",
    root: "docs",
    pages: pages(`
      index components/cards components/menu components/modals components/tiles elements/buttons elements/forms
      elements/icons elements/media elements/tables experimentals/calendars experimentals/carousels
      experimentals/parallax layout/hero rtl utilities/colors utilities/loading
    `),
  },
  // 54,000 px tall at 1280 px.
  { name: "snap-reference", package: "snapsvg", root: "", pages: pages("doc/reference") },
  // 7,400 icons: 52,000 px tall at 1280 px.
  { name: "mdi", package: "@mdi/font", root: "", pages: pages("preview") },
];
