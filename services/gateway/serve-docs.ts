import { Marked } from "marked";
import { anchor, apiMarkdown } from "./api-docs.ts";
import type { Gateway } from "./gateway.ts";
import { answerHtml, htmlPage } from "./html-page.ts";
import type { OpenApi } from "./openapi-document.ts";
import type { Answer, Input } from "./route.ts";

/** The document does not change while a node runs, and anybody may ask for the page. */
const pages = new WeakMap<OpenApi, string>();

export async function serveOpenApi({ openApi }: Gateway): Promise<Answer> {
  return { status: 200, body: openApi };
}

/** What there is to see for who opens the bare address; the dashboard, which not every node has, leads to signing in who has not. */
export async function serveHome({ serves }: Gateway, { res }: Input): Promise<undefined> {
  res.writeHead(302, { Location: serves.has("GET /runs") ? "runs" : "docs", "Content-Length": 0 }).end();
}

/** The API's documentation as a page that asks for nothing else. */
export async function serveDocs({ openApi }: Gateway, { res }: Input): Promise<undefined> {
  const html = pages.get(openApi) ?? page(apiMarkdown(openApi));
  pages.set(openApi, html);
  answerHtml(res, 200, html);
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
  return htmlPage("vrs API", String(marked.parse(markdown)));
}
