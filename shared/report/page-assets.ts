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
  "stage.js",
  "viewer.js",
  "report.js",
];

/** Marks the document before the first paint, so that styles know that a script runs. */
export const MARK_SCRIPTED = 'document.documentElement.classList.add("scripted");';

/** The page's styles and script, loaded once at start. */
export const STYLE = STYLES.map(readPageFile).join("\n");
export const SCRIPT = `{\n"use strict";\n${SCRIPTS.map(readPageFile).map(withoutModuleSyntax).join("\n")}\n}`;

const SOURCES = [
  "default-src 'none'",
  `script-src ${hashOf(MARK_SCRIPTED)} ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  "img-src 'self' data:",
  // Lets the page check whether an image that failed to load still exists.
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
];

/** The policy for a `<meta>` element, which a saved file keeps. */
export const META_CSP = SOURCES.join("; ");

/** Value of a report's Content-Security-Policy header. */
export const REPORT_CSP = `${META_CSP}; frame-ancestors 'none'`;

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
