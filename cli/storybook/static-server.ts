import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { join, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { contentTypeOf } from "../../shared/content-type.ts";

/** A folder that is served on this machine. */
export interface FolderServer {
  /** Without a slash at the end. */
  url: string;
  close(): Promise<void>;
}

/** Serves the files of a folder on a free port of the loopback address. Symbolic links can't lead out of it. */
export async function serveFolder(folder: string): Promise<FolderServer> {
  const root = await realpath(folder);
  const server = createServer((request, response) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    const path = isRead ? pathIn(root, request.url ?? "/") : null;
    send(path, root, response).catch(() => end(response, 500));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>(resolve => server.close(() => resolve()));
    },
  };
}

function pathIn(root: string, url: string): string | null {
  try {
    const { pathname } = new URL(url, "http://localhost");
    const path = decodeURIComponent(pathname);
    return path.includes("\0") ? null : join(root, path.endsWith("/") ? `${path}index.html` : path);
  } catch {
    return null;
  }
}

async function send(path: string | null, root: string, response: ServerResponse): Promise<void> {
  const real = path === null ? null : await realpath(path).catch(() => null);
  const file = real?.startsWith(root + sep) ? await stat(real).catch(() => null) : null;
  if (real === null || !file?.isFile()) return end(response, 404);
  response.writeHead(200, {
    "Content-Type": contentTypeOf(real),
    "Content-Length": file.size,
    // Captures read the body of a file once, rather than for each story.
    ETag: `"${file.size.toString(36)}-${file.mtimeMs.toString(36)}"`,
    // Each check has a port and a browser of its own, so a later build is never read from this cache.
    "Cache-Control": "max-age=3600",
  });
  if (response.req.method === "HEAD") response.end();
  // It also closes the file if the browser cancels the response.
  else await pipeline(createReadStream(real), response).catch(() => response.destroy());
}

function end(response: ServerResponse, status: number): void {
  if (!response.headersSent) response.writeHead(status, { "Content-Type": "text/plain" });
  response.end();
}
