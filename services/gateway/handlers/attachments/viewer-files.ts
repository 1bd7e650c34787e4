import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { CONFINE_RESPONSES } from "./confine-responses.ts";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".ttf": "font/ttf",
  ".webmanifest": "application/manifest+json",
};
/** The service worker of the viewer, which reads the trace. */
const WORKER = "sw.bundle.js";

/** The viewer reads only files of this service, and shows nothing else. */
const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self' data: blob:",
  "frame-src 'self' blob:",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
];
/** What the worker itself may request. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'; script-src 'self'";

/** A file of the trace viewer with its headers. */
export interface ViewerFile {
  content: Buffer;
  type: string;
  policy: string | null;
}

/** Returns the files of Playwright's trace viewer by their paths. They are part of the installed Playwright. */
export function readViewer(): ReadonlyMap<string, ViewerFile> {
  const folder = viewerFolder();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile() && TYPES[extname(entry.name)] !== undefined);
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const inFolder = path.slice(folder.length + 1).replaceAll("\\", "/");
      return [inFolder, viewerFile(inFolder, readFileSync(path))];
    }),
  );
}

/** Playwright's packages have no export for it, so the folder is found beside the package's file. */
function viewerFolder(): string {
  const playwright = createRequire(import.meta.url).resolve("playwright/package.json");
  const core = createRequire(playwright).resolve("playwright-core/package.json");
  return join(dirname(core), "lib", "vite", "traceViewer");
}

function viewerFile(path: string, content: Buffer): ViewerFile {
  const type = TYPES[extname(path)] ?? "application/octet-stream";
  if (path === WORKER)
    return { content: Buffer.concat([Buffer.from(CONFINE_RESPONSES), content]), type, policy: WORKER_POLICY };
  return { content, type, policy: extname(path) === ".html" ? policyOf(content.toString()) : null };
}

function policyOf(html: string): string {
  const inline = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  );
  return [...PAGE_POLICY, ["script-src 'self'", ...inline].join(" ")].join("; ");
}
