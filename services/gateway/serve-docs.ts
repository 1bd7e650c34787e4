import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Marked } from "marked";
import { anchor, apiMarkdown } from "./api-docs.ts";
import type { Gateway } from "./gateway.ts";
import type { OpenApi } from "./openapi-document.ts";
import type { Answer, Input } from "./route.ts";

const STYLE = readFileSync(new URL("./docs.css", import.meta.url), "utf8");
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** The document does not change while a node runs, and anybody may ask for the page. */
const pages = new WeakMap<OpenApi, string>();

export async function serveOpenApi({ openApi }: Gateway): Promise<Answer> {
  return { status: 200, body: openApi };
}

/** What there is to see for who opens the bare address. */
export async function serveHome(_gateway: Gateway, { res }: Input): Promise<undefined> {
  res.writeHead(302, { Location: "docs", "Content-Length": 0 }).end();
}

/** The API's documentation as a page that asks for nothing else. */
export async function serveDocs({ openApi }: Gateway, { res }: Input): Promise<undefined> {
  res.setHeader("Content-Type", "text/html; charset=utf-8");
  const policy = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`;
  res.setHeader("Content-Security-Policy", policy);
  const html = pages.get(openApi) ?? page(apiMarkdown(openApi));
  pages.set(openApi, html);
  res.end(html);
}

function page(markdown: string): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      table(token) {
        const cells = (row: typeof token.header, tag: string) =>
          row.map(cell => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("");
        const rows = token.rows.map(row => `<tr>${cells(row, "td")}</tr>`).join("\n");
        return `<div class="table" tabindex="0"><table><thead><tr>${cells(token.header, "th")}</tr></thead><tbody>${rows}</tbody></table></div>\n`;
      },
    },
  });
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>vrs API</title><style>${STYLE}</style></head>
<body><main>${marked.parse(markdown)}</main></body>
</html>`;
}
