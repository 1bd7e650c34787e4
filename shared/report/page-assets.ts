import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const STYLES = ["report.css", "list.css", "viewer.css"];
/** Ordered so that modules follow their imports. */
const SCRIPTS = [
  "texts.js",
  "page.js",
  "view.js",
  "list.js",
  "load-image.js",
  "sheet.js",
  "minimap.js",
  "gestures.js",
  "modes.js",
  "fold-panels.js",
  "pane.js",
  "stage.js",
  "viewer.js",
  "report.js",
];

/** Marks the document before the first paint, so that styles know that a script runs. */
export const MARK_SCRIPTED = 'document.documentElement.classList.add("scripted");';

/** The styles and the script of a page, with the policies that allow only them. */
export interface PageAssets {
  style: string;
  script: string;
  /** The policy for a `<meta>` element, which a saved file keeps. */
  metaCsp: string;
  /** Value of the Content-Security-Policy header. */
  csp: string;
}

/** The report, loaded once at start. */
export const REPORT_ASSETS = assetsOf(STYLES, SCRIPTS);

/** Loads the page of `vrs dev`: the report that updates itself, and can approve. */
export function loadLiveAssets(): PageAssets {
  return assetsOf([...STYLES, "live.css"], [...SCRIPTS, "live-texts.js", "live.js"]);
}

function assetsOf(styles: readonly string[], scripts: readonly string[]): PageAssets {
  const style = styles.map(readPageFile).join("\n");
  const script = `{\n"use strict";\n${scripts.map(readPageFile).map(withoutModuleSyntax).join("\n")}\n}`;
  const metaCsp = [
    "default-src 'none'",
    `script-src ${hashOf(MARK_SCRIPTED)} ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "img-src 'self' data:",
    // Lets the page check whether an image that failed to load still exists.
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return { style, script, metaCsp, csp: `${metaCsp}; frame-ancestors 'none'` };
}

function readPageFile(name: string): string {
  return readFileSync(new URL(`./page/${name}`, import.meta.url), "utf8");
}

/** Joins the page's modules into one script: a saved file has nowhere to import from. */
function withoutModuleSyntax(source: string): string {
  return source.replace(/^import\s[^;]*;$/gm, "").replace(/^export /gm, "");
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
