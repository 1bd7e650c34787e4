import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";

const STYLE = readFileSync(new URL("./page.css", import.meta.url), "utf8");
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** Returns a page in the service's style. @param main HTML */
export function htmlPage(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head>
<body><main>${main}</main></body>
</html>`;
}

/** Escapes a text for HTML, also within quotes. */
export function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/**
 * Answers with a page of htmlPage. It can't load anything or run scripts.
 * @param formOrigin another origin that its forms may be sent to, and that may redirect back
 */
export function answerHtml(res: ServerResponse, status: number, html: string, formOrigin = ""): void {
  res.setHeader("Content-Type", "text/html; charset=utf-8");
  const policy = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'self' ${formOrigin}; frame-ancestors 'none'`;
  res.setHeader("Content-Security-Policy", policy);
  res.writeHead(status).end(html);
}
