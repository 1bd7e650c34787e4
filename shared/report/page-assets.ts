import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const STYLES = ["report.css", "list.css", "viewer.css"];
/** Modules after those that they import from. */
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
  "stage.js",
  "viewer.js",
  "report.js",
];

/** Tells the styles, before anything is drawn, that there is a script to fill what they show. */
export const MARK_SCRIPTED = 'document.documentElement.classList.add("scripted");';

/** The page's styles and its one script, read once at start. */
export const STYLE = STYLES.map(readPageFile).join("\n");
export const SCRIPT = `{\n"use strict";\n${SCRIPTS.map(readPageFile).map(withoutModuleSyntax).join("\n")}\n}`;

const SOURCES = [
  "default-src 'none'",
  `script-src ${hashOf(MARK_SCRIPTED)} ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  "img-src 'self' data:",
  // Whether an image that did not come is stored at all.
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
];

/** The policy as a `<meta>` may state it, which a saved file keeps. */
export const META_CSP = SOURCES.join("; ");

/** Value of the Content-Security-Policy header that a report is sent with. */
export const REPORT_CSP = `${META_CSP}; frame-ancestors 'none'`;

function readPageFile(name: string): string {
  return readFileSync(new URL(`./page/${name}`, import.meta.url), "utf8");
}

/** All of the page's modules become one script: a saved file has nowhere to import from. */
function withoutModuleSyntax(source: string): string {
  return source.replace(/^import\s[^;]*;$/gm, "").replace(/^export /gm, "");
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
