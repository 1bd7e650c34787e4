import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname } from "node:path";
import { notFound } from "../../../shared/errors.ts";
import type { Gateway } from "../gateway-context.ts";
import { answerHtml, escaped, htmlPage } from "../http/html-page.ts";
import type { Input } from "../routes/route.ts";
import { DASHBOARD_PAGE } from "../texts/pages.ts";

const DIST = new URL("../../../dashboard/dist/", import.meta.url);

/** The dashboard loads and connects only to this service. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const TYPES: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Encodings of precompressed files, smallest first. */
const ENCODINGS = [
  { name: "br", ending: ".br" },
  { name: "gzip", ending: ".gz" },
] as const;

const NOT_BUILT = `<h1>${DASHBOARD_PAGE.notBuiltTitle}</h1><p>${DASHBOARD_PAGE.notBuilt}</p>`;

/** The built dashboard, cached at the first request, so that the page and its assets come from one build. */
interface Built {
  index: string;
  assets: Map<string, Buffer>;
}

let built: Built | null = null;

function readBuilt(): Built | null {
  if (built) return built;
  try {
    const index = readFileSync(new URL("index.html", DIST), "utf8");
    const folder = new URL("assets/", DIST);
    const assets = new Map(readdirSync(folder).map(name => [name, readFileSync(new URL(name, folder))]));
    built = { index, assets };
  } catch {
    return null;
  }
  return built;
}

/** Answers with the dashboard's page. It is the same for all its URLs, because the browser renders the content. */
export async function serveDashboard(gateway: Gateway, { res }: Input): Promise<undefined> {
  answerDashboard(gateway, res, 200);
}

/** Returns whether a browser requests a page, and not the API. @param path path without the query */
export function asksForPage({ method, headers }: IncomingMessage, path: string): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return !/^\/(?:v1|api)(?:\/|$)/.test(path) && /\btext\/html\b/.test(headers.accept ?? "");
}

/** Answers with the dashboard's page. @param status 404 for an unknown URL, which the page explains */
export function answerDashboard({ site }: Gateway, res: ServerResponse, status: 200 | 404): void {
  const found = readBuilt();
  res.setHeader("Cache-Control", "no-store");
  if (!found) {
    answerHtml(res, 503, htmlPage("vrs", NOT_BUILT));
    return;
  }
  // The service may have a path on its host. All links of the page are relative to it.
  const base = site.path.endsWith("/") ? site.path : `${site.path}/`;
  const html = found.index.replace('<base href="/">', `<base href="${escaped(base)}">`);
  res.setHeader("Content-Security-Policy", POLICY);
  res.writeHead(status, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Length": Buffer.byteLength(html),
  });
  res.end(html);
}

/**
 * Answers with an asset of the dashboard. Its name changes with its content, so it can be cached forever. @throws
 * ServiceError not_found
 */
export async function serveAsset(
  _gateway: Gateway,
  { params: { file = "" }, req, res }: Input,
): Promise<undefined> {
  const assets = readBuilt()?.assets;
  const type = TYPES[extname(file)];
  const plain = type === undefined ? undefined : assets?.get(file);
  if (!assets || !plain || type === undefined) throw notFound("file", file);
  const encoding = ENCODINGS.find(({ name, ending }) => accepts(req, name) && assets.has(file + ending));
  const content = (encoding && assets.get(file + encoding.ending)) ?? plain;
  res.writeHead(200, {
    "Content-Type": type,
    "Content-Length": content.length,
    "Cache-Control": "public, max-age=31536000, immutable",
    Vary: "Accept-Encoding",
    ...(encoding && { "Content-Encoding": encoding.name }),
  });
  res.end(content);
}

/** Returns whether the browser accepts the encoding. `q=0` means that it doesn't. */
function accepts(req: IncomingMessage, name: string): boolean {
  const header = req.headers["accept-encoding"];
  const offered = (typeof header === "string" ? header : "").split(",").map(part => part.trim());
  return offered.some(part => part.split(";")[0]?.trim() === name && !/;\s*q=0(?:\.0*)?$/.test(part));
}
