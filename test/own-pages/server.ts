import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { extname } from "node:path";
import { Thumbnails } from "../../services/gateway/handlers/thumbnails.ts";
import { imageQuery } from "../../shared/contracts/runs/thumbnails.ts";
import { NOW, ownAnswers } from "./data.ts";
import { sendStatusPage } from "./settings-data.ts";

const DIST = new URL("../../dashboard/dist/", import.meta.url);
const FONT = new URL(
  import.meta.resolve("@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2"),
);
const TYPES: Record<string, string> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** A font from the packages instead of the system's, so that all machines look alike. */
const STYLE = `@font-face { font-family: own; src: url(/own/font.woff2); font-weight: 300 900 }
*, ::before, ::after { font-family: own !important }`;
/** Relative times depend on the clock. */
const CLOCK = `const now = Date.parse("${NOW}");
globalThis.Date = class extends Date {
  constructor(...of) { super(...(of.length === 0 ? [now] : of)) }
  static now() { return now }
};`;
const HEAD = `<script src="/own/clock.js"></script><link rel="stylesheet" href="/own/style.css">`;

/** Serves the built dashboard with the same data, clock and font on every machine. */
export interface OwnPagesServer extends AsyncDisposable {
  url: string;
}

export async function serveOwnPages(): Promise<OwnPagesServer> {
  const { json, images } = await ownAnswers();
  const index = (await readFile(new URL("index.html", DIST), "utf8")).replace("<head>", `<head>${HEAD}`);
  const thumbnails = new Thumbnails();
  const sendImage = async (path: string, query: URLSearchParams, res: ServerResponse) => {
    const png = images.get(path) ?? Buffer.alloc(0);
    const { w, band } = imageQuery.parse(Object.fromEntries(query));
    if (w === undefined) return res.writeHead(200, { "Content-Type": "image/png" }).end(png);
    const thumbnail = await thumbnails.get(
      path,
      { w, band },
      async () => png,
      () => true,
    );
    return res.writeHead(200, { "Content-Type": "image/webp" }).end(thumbnail);
  };
  const answer = async ({ pathname: path, searchParams }: URL, res: ServerResponse): Promise<void> => {
    const send = (type: string, body: string | Buffer) =>
      res.writeHead(200, { "Content-Type": type }).end(body);
    if (path === "/own/font.woff2") send("font/woff2", await readFile(FONT));
    else if (path === "/own/style.css") send("text/css", STYLE);
    else if (path === "/own/clock.js") send("text/javascript", CLOCK);
    else if (path.endsWith("/events")) res.writeHead(204).end();
    else if (path.startsWith("/status/")) sendStatusPage(res);
    else if (json.has(path)) send("application/json", JSON.stringify(json.get(path)));
    else if (images.has(path)) await sendImage(path, searchParams, res);
    else if (path.startsWith("/assets/"))
      send(TYPES[extname(path)] ?? "text/plain", await readFile(new URL(`.${path}`, DIST)));
    else if (path.startsWith("/v1/")) res.writeHead(404).end(`nobody has thought of ${path}`);
    else send("text/html; charset=utf-8", index);
  };
  const server = createServer((req, res) => {
    answer(new URL(req.url ?? "/", "http://own"), res).catch(error => res.destroy(error));
  });
  server.listen(0);
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://localhost:${typeof address === "object" ? address?.port : ""}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
