import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ArchivedFile } from "../../archives/archive-index.ts";
import { contentTypeOf } from "../../content-type.ts";
import { hostOf, portOf } from "../network/address-guard.ts";
import { ARCHIVE_TEXTS, REQUEST_FAILURES } from "../texts.ts";
import { isAllowedHost } from "./allowed-hosts.rule.ts";
import { byteRange } from "./byte-range.rule.ts";
import { findFile } from "./find-file.rule.ts";

/** Opens the content of a file, or a part of it. */
type OpenFile = (file: ArchivedFile, range: { start: number; end: number } | null) => Promise<Readable>;

/** What an archive's site is made of. */
export interface ArchiveSiteParts {
  /** URL of the site. Its path is where the archive's root is. */
  site: string;
  files: readonly ArchivedFile[];
  /** Hosts that the pages may reach besides the site. */
  allowHosts: readonly string[];
  open: OpenFile;
}

/** Files never change within a run, and no other run shares the cache. */
const CACHE_CONTROL = "max-age=86400";

/**
 * An archive as the only site that its pages can reach. The proxy of the browser context responds with its files, so
 * there is no server that others could reach.
 */
export class ArchiveSite {
  readonly #parts: ArchiveSiteParts;
  readonly #files: ReadonlyMap<string, ArchivedFile>;
  readonly #origin: URL;
  readonly #base: string;
  /** Why a file could not be read. The page may lack it, so the page must not be compared. */
  #failure: Error | null = null;

  constructor(parts: ArchiveSiteParts) {
    this.#parts = parts;
    this.#files = new Map(parts.files.map(file => [file.path, file]));
    this.#origin = new URL(parts.site);
    this.#base = this.#origin.pathname.endsWith("/") ? this.#origin.pathname : `${this.#origin.pathname}/`;
  }

  /** Returns whether a URL is on the archive's origin. */
  serves(url: URL): boolean {
    return (
      url.protocol === "http:" && hostOf(url) === hostOf(this.#origin) && portOf(url) === portOf(this.#origin)
    );
  }

  /** Returns why the pages may not reach a URL; null if they may, as far as the address guard allows it. */
  refusal(url: URL): string | null {
    if (hostOf(url) === hostOf(this.#origin)) return this.serves(url) ? null : REQUEST_FAILURES.archivePort;
    return isAllowedHost(url, this.#parts.allowHosts) ? null : REQUEST_FAILURES.sealed(hostOf(url));
  }

  /** Forgets the failure of the previous page. */
  reset(): void {
    this.#failure = null;
  }

  /** Returns why a file could not be read since the last reset; null if all could. */
  get failure(): Error | null {
    return this.#failure;
  }

  /** Responds to a request for the archive's origin. @param count counts the bytes that the page receives */
  async respond(
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
    count: (bytes: number) => void,
  ): Promise<void> {
    request.resume();
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { Allow: "GET, HEAD", "Content-Length": 0 }).end();
      return;
    }
    const found = findFile(url.pathname, this.#base, path => this.#files.has(path));
    if (found.status === 301) {
      response.writeHead(301, { Location: found.location + url.search, "Content-Length": 0 }).end();
      return;
    }
    const file = found.path === null ? undefined : this.#files.get(found.path);
    if (file === undefined) return notFound(request, response);
    await this.#send(file, found.status, { request, response, count });
  }

  async #send(file: ArchivedFile, status: 200 | 404, { request, response, count }: Exchange): Promise<void> {
    const headers = {
      "Content-Type": contentTypeOf(file.path),
      "Cache-Control": CACHE_CONTROL,
      ETag: `"${file.hash}"`,
      "Accept-Ranges": "bytes",
    };
    if (status === 200 && request.headers["if-none-match"] === headers.ETag) {
      response.writeHead(304, headers).end();
      return;
    }
    const range = status === 200 ? byteRange(request.headers.range, file.bytes) : null;
    if (range === "unsatisfiable") {
      response.writeHead(416, { "Content-Range": `bytes */${file.bytes}`, "Content-Length": 0 }).end();
      return;
    }
    const bytes = range ? range.end - range.start + 1 : file.bytes;
    const content = request.method === "HEAD" || bytes === 0 ? null : await this.#open(file, range);
    if (content instanceof Error) {
      response.writeHead(502, { "Content-Length": 0 }).end();
      return;
    }
    response.writeHead(range ? 206 : status, {
      ...headers,
      "Content-Length": bytes,
      ...(range && { "Content-Range": `bytes ${range.start}-${range.end}/${file.bytes}` }),
    });
    if (content === null) {
      response.end();
      return;
    }
    content.on("data", (chunk: Buffer) => count(chunk.length));
    content.on("error", error => this.#fail(error));
    // The page may cancel its request.
    await pipeline(content, response).catch(() => {});
  }

  async #open(file: ArchivedFile, range: { start: number; end: number } | null): Promise<Readable | Error> {
    try {
      return await this.#parts.open(file, range);
    } catch (error) {
      return this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #fail(error: Error): Error {
    this.#failure ??= error;
    return error;
  }
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  count: (bytes: number) => void;
}

function notFound(request: IncomingMessage, response: ServerResponse): void {
  const page = Buffer.from(ARCHIVE_TEXTS.notFoundPage);
  response.writeHead(404, { "Content-Type": "text/html; charset=utf-8", "Content-Length": page.length });
  response.end(request.method === "HEAD" ? undefined : page);
}
