import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname } from "node:path";
import { notFound } from "../../../shared/errors.ts";
import type { Gateway } from "../gateway-context.ts";
import { answerHtml, escaped, htmlPage } from "../http/html-page.ts";
import type { Input } from "../routes/route.ts";
import { DASHBOARD_PAGE } from "../texts.ts";

const DIST = new URL("../../../dashboard/dist/", import.meta.url);

/** The page loads what this service has, and speaks to nobody else. */
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

/** Encodings that files are kept in beside themselves, the smallest first. */
const ENCODINGS = [
  { name: "br", ending: ".br" },
  { name: "gzip", ending: ".gz" },
] as const;

const NOT_BUILT = `<h1>${DASHBOARD_PAGE.notBuiltTitle}</h1><p>${DASHBOARD_PAGE.notBuilt}</p>`;

/** The built dashboard, held in memory as it was when it was first asked for: a page and its parts are of one build. */
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

/** Answers with the dashboard's page, which is the same for each of its addresses: what is shown is the browser's part. */
export async function serveDashboard(gateway: Gateway, { res }: Input): Promise<undefined> {
  answerDashboard(gateway, res, 200);
}

/** Whether a person with a browser asks for something else than an answer of the API. @param path without its query */
export function asksForPage({ method, headers }: IncomingMessage, path: string): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return !/^\/(?:v1|api)(?:\/|$)/.test(path) && /\btext\/html\b/.test(headers.accept ?? "");
}

/** @param status 404 where the address is none of its own: its page says so, and leads on */
export function answerDashboard({ site }: Gateway, res: ServerResponse, status: 200 | 404): void {
  const found = readBuilt();
  res.setHeader("Cache-Control", "no-store");
  if (!found) {
    answerHtml(res, 503, htmlPage("vrs", NOT_BUILT));
    return;
  }
  // The service may be at a path of its host: every link of the page is seen from there.
  const base = site.path.endsWith("/") ? site.path : `${site.path}/`;
  const html = found.index.replace('<base href="/">', `<base href="${escaped(base)}">`);
  res.setHeader("Content-Security-Policy", POLICY);
  res.writeHead(status, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Length": Buffer.byteLength(html),
  });
  res.end(html);
}

/** Answers with a part of the dashboard. Its name changes with its content, so that it may be kept for ever. @throws ServiceError not_found */
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

/** Whether the browser takes the encoding; `q=0` says that it does not. */
function accepts(req: IncomingMessage, name: string): boolean {
  const header = req.headers["accept-encoding"];
  const offered = (typeof header === "string" ? header : "").split(",").map(part => part.trim());
  return offered.some(part => part.split(";")[0]?.trim() === name && !/;\s*q=0(?:\.0*)?$/.test(part));
}
