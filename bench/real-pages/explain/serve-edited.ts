import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { contentTypeOf } from "../corpus/content-types.ts";
import { SITES } from "../corpus/corpus.ts";
import { resolveFile } from "../corpus/resolve-file.ts";

/** What is served in place of a file: its changed content, or nothing. */
export type Edit = { path: string; append: string } | { path: string; isMissing: true };

/** The corpus on its own port, with at most one edited file. */
export interface EditedServer {
  url: string;
  edit: Edit | null;
  close(): void;
}

const INTEGRITY = /\sintegrity=(?:"[^"]*"|'[^']*')/g;

/** Serves the corpus without a cache. */
export async function serveEdited(): Promise<EditedServer> {
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").replace(/[?#].*$/s, "");
    const resolved = resolveFile(SITES, path);
    const { edit } = edited;
    const own = edit?.path === path ? edit : null;
    const content = async () => {
      if (resolved === null || (own && "isMissing" in own)) return null;
      return "text" in resolved
        ? Buffer.from(resolved.text)
        : await readFile(resolved.file).catch(() => null);
    };
    void content().then(body => {
      if (body === null)
        return void response.writeHead(404, { "Content-Type": "text/plain" }).end("Not found");
      const type =
        "file" in (resolved ?? {}) && resolved && "file" in resolved
          ? contentTypeOf(resolved.file)
          : contentTypeOf(path);
      // Browsers refuse a changed file that a page pins by its hash.
      const isHtml = type.startsWith("text/html");
      const unpinned = isHtml ? Buffer.from(body.toString("utf8").replace(INTEGRITY, "")) : body;
      const whole = own && "append" in own ? Buffer.concat([unpinned, Buffer.from(own.append)]) : unpinned;
      response.writeHead(200, { "Content-Type": type, "Cache-Control": "no-store" }).end(whole);
    });
  }).listen(0);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const edited: EditedServer = {
    url: `http://localhost:${address.port}`,
    edit: null,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return edited;
}
