import { once } from "node:events";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { readByteRange } from "./byte-range.ts";
import { contentTypeOf } from "./content-types.ts";
import { SITES } from "./corpus.ts";
import { resolveFile } from "./resolve-file.ts";

/** The corpus on its own port. */
export interface CorpusServer {
  url: string;
  /** Appends this to every page that is served from now on, except frames. With null, pages are unchanged. */
  appendToPages(html: string | null): void;
  /** Returns what pages reported since the last call, as the query of `REPORT_PATH`. */
  drainReports(): string[];
  close(): void;
}

/**
 * Longer than a browser keeps a connection unused. Node's shorter limits close one while a request is being sent, which
 * is likely on a busy machine.
 */
const LONG_TIMEOUTS = { keepAliveTimeout: 10 * 60_000, headersTimeout: 0, requestTimeout: 0 };

/** Path that appended scripts report to. */
export const REPORT_PATH = "/change-made";

/**
 * Serves every site of the corpus under `/<site>/` like a static server, with validators, a lifetime for assets, and
 * byte ranges. Pages are revalidated each time, so that a cache never hides a change.
 */
export async function serveCorpus(): Promise<CorpusServer> {
  let appended: string | null = null;
  let reports: string[] = [];
  const server = createServer(LONG_TIMEOUTS, (request, response) => {
    const path = request.url ?? "/";
    if (path.startsWith(`${REPORT_PATH}?`)) {
      reports.push(path.slice(REPORT_PATH.length + 1));
      response.writeHead(204).end();
      return;
    }
    const resolved = resolveFile(SITES, path);
    const sent =
      resolved === null
        ? Promise.resolve(false)
        : "text" in resolved
          ? sendText(response, resolved.path, resolved.text)
          : sendFile(request, response, resolved.file, appended);
    sent
      .then(isSent => {
        if (!isSent) response.writeHead(404, { "Content-Type": "text/plain" }).end("Not found");
      })
      // The browser disconnected, so no response is possible.
      .catch(() => response.destroy());
  }).listen(0);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The corpus server has no port.");
  return {
    url: `http://localhost:${address.port}`,
    appendToPages(html) {
      appended = html;
    },
    drainReports() {
      const drained = reports;
      reports = [];
      return drained;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function sendText(response: ServerResponse, path: string, text: string): Promise<true> {
  response.writeHead(200, { "Content-Type": contentTypeOf(path), "Cache-Control": "max-age=600" }).end(text);
  return true;
}

/** Returns false for a missing file. */
async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: string,
  appended: string | null,
): Promise<boolean> {
  const info = await stat(file).catch(() => null);
  if (!info?.isFile()) return false;
  const type = contentTypeOf(file);
  const isPage = type === "text/html";
  if (isPage && appended !== null && request.headers["sec-fetch-dest"] === "document") {
    const body = Buffer.concat([await readFile(file), Buffer.from(appended)]);
    response.writeHead(200, { "Content-Type": type, "Cache-Control": "no-store" }).end(body);
    return true;
  }
  const tag = `"${info.size.toString(36)}-${Math.trunc(info.mtimeMs).toString(36)}"`;
  const headers = {
    "Content-Type": type,
    "Cache-Control": isPage ? "no-cache" : "max-age=600",
    "Accept-Ranges": "bytes",
    ETag: tag,
  };
  if (request.headers["if-none-match"] === tag) {
    response.writeHead(304, headers).end();
    return true;
  }
  const range = readByteRange(request.headers.range, info.size);
  if (range === "unsatisfiable") {
    response.writeHead(416, { "Content-Range": `bytes */${info.size}` }).end();
    return true;
  }
  const { start, end } = range ?? { start: 0, end: info.size - 1 };
  const part = range && { "Content-Range": `bytes ${start}-${end}/${info.size}` };
  response.writeHead(part ? 206 : 200, { ...headers, ...part, "Content-Length": end - start + 1 });
  if (request.method === "HEAD" || info.size === 0) response.end();
  else await pipeline(createReadStream(file, { start, end }), response);
  return true;
}
