import type { ServerResponse } from "node:http";
import { Marked } from "marked";
import { notFound } from "../../../shared/errors.ts";
import type { Gateway } from "../gateway-context.ts";
import { asksForPage } from "../handlers/serve-dashboard.ts";
import { answerHtml, htmlPage } from "../http/html-page.ts";
import type { Answer, Input } from "../routes/route.ts";
import { DOCS_TITLE } from "../texts/api.ts";
import { anchor, apiMarkdown } from "./api-docs.ts";
import { type DocsFile, DocsSite } from "./docs-site.ts";
import type { OpenApi } from "./openapi-document.ts";

/** Rendered once, because the document doesn't change while a node runs. */
const pages = new WeakMap<OpenApi, string>();

export async function serveOpenApi({ openApi }: Gateway): Promise<Answer> {
  return { status: 200, body: openApi };
}

/**
 * Redirects the base URL to the dashboard, or to the docs on nodes without it. The dashboard redirects readers who
 * are not signed in.
 */
export async function serveHome({ serves }: Gateway, { res }: Input): Promise<undefined> {
  res.writeHead(302, { Location: serves.has("GET /runs") ? "runs" : "docs", "Content-Length": 0 }).end();
}

/** Answers with the first page of the docs, or with the API reference if the site is not built. */
export async function serveDocs(gateway: Gateway, input: Input): Promise<undefined> {
  const first = siteOf(gateway)?.file("");
  if (first) return answerFile(input, 200, first);
  const { openApi } = gateway;
  const html = pages.get(openApi) ?? page(apiMarkdown(openApi));
  pages.set(openApi, html);
  answerHtml(input.res, 200, html);
}

/** Answers with a page or file of the docs. @throws ServiceError not_found */
export async function serveDocsFile(gateway: Gateway, input: Input): Promise<undefined> {
  const { first = "", second, third } = input.params;
  const path = [first, second, third].filter(part => part !== undefined).join("/");
  const site = siteOf(gateway);
  const file = site?.file(path);
  if (file) return answerFile(input, 200, file);
  const missing = site?.notFound;
  if (!missing || !asksForPage(input.req, `/docs/${path}`)) throw notFound("page of the docs", path);
  answerFile(input, 404, missing);
}

/** Undefined until the first request. Null if it is not built. */
let site: DocsSite | null | undefined;

/** Returns the docs site. Null on nodes with only the integration, because the site covers the whole service. */
function siteOf({ serves, site: { path } }: Gateway): DocsSite | null {
  if (!serves.has("GET /docs/:first")) return null;
  site ??= DocsSite.read(path);
  return site;
}

function answerFile({ req, res }: Input, status: number, file: DocsFile): undefined {
  const isZipped = file.gzipped !== null && /\bgzip\b/.test(String(req.headers["accept-encoding"] ?? ""));
  const body = (isZipped && file.gzipped) || file.content;
  setHeaders(res, file);
  if (isZipped) res.setHeader("Content-Encoding", "gzip");
  res.writeHead(status, { "Content-Length": body.length }).end(body);
}

function setHeaders(res: ServerResponse, { type, policy, isImmutable }: DocsFile): void {
  res.setHeader("Content-Type", type);
  res.setHeader("Vary", "Accept-Encoding");
  res.setHeader("Cache-Control", isImmutable ? "public, max-age=31536000, immutable" : "no-cache");
  if (policy !== null) res.setHeader("Content-Security-Policy", policy);
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
  return htmlPage(DOCS_TITLE, String(marked.parse(markdown)));
}
