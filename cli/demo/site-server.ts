import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { DEMO_TEXTS } from "../texts/demo.ts";
import { drawImage } from "./site/images.ts";
import { RESPONSES } from "./site/responses.ts";
import { SECOND_VERSION } from "./site/second-version.ts";

/** All pages of the sample site. */
export const SITE_ROUTES = [
  "/",
  "/pricing",
  "/guide",
  "/gallery",
  "/dashboard",
  "/about",
  "/changelog",
  "/contact",
];

/** Pages that the demo captures. With all of them, it would take longer without showing more. */
export const DEMO_ROUTES = SITE_ROUTES.filter(route => route !== "/about" && route !== "/guide");

type SiteVersion = 1 | 2;

/** The running sample site. */
export interface SampleSite {
  /** Without a trailing slash. */
  url: string;
  port: number;
  /** Serves the given version from the next request on. */
  show(version: SiteVersion): void;
  close(): Promise<void>;
}

const SITE = new URL("./site/", import.meta.url);

const FONTS = new Map([
  [
    "display.woff2",
    "@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2",
  ],
  ["text.woff2", "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2"],
]);

/** As slow as an ordinary backend, so that content arrives after the page has loaded. */
const RESPONSE_DELAY_MS = 200;

/**
 * Serves the first version of the sample site on a loopback port, or on another address of this machine.
 *
 * @param port 0 uses any free one
 */
export async function startSite(port = 0, address = "127.0.0.1"): Promise<SampleSite> {
  let version: SiteVersion = 1;
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://site").pathname;
    respond(path, version, response).catch(error => {
      console.error(DEMO_TEXTS.siteFailed(path), error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, resolve);
  });
  const bound = portOf(server.address());
  return {
    url: `http://${address === "127.0.0.1" ? "localhost" : address}:${bound}`,
    port: bound,
    show: next => {
      version = next;
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === "string") throw new Error(DEMO_TEXTS.siteHasNoPort);
  return address.port;
}

async function respond(path: string, version: SiteVersion, response: ServerResponse): Promise<void> {
  const send = (type: string, body: string | Buffer, status = 200) => {
    response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
  };
  const [, folder, file] = /^\/(?:(images|fonts|api)\/)?([\w.-]*)$/.exec(path) ?? [];
  const font = folder === "fonts" && file ? FONTS.get(file) : undefined;
  const image = folder === "images" && file?.endsWith(".svg") ? drawImage(file.slice(0, -4)) : null;
  const data = folder === "api" && file ? RESPONSES.get(file) : undefined;

  if (SITE_ROUTES.includes(path))
    return send("text/html; charset=utf-8", await page(file || "home", version));
  if (path === "/site.css") return send("text/css; charset=utf-8", await source("site.css", version));
  if (path === "/site.js") return send("text/javascript; charset=utf-8", await source("site.js", version));
  if (font) return send("font/woff2", await readFile(fileURLToPath(import.meta.resolve(font))));
  if (image) return send("image/svg+xml", image);
  if (data) {
    await delay(RESPONSE_DELAY_MS);
    return send("application/json", JSON.stringify(data));
  }
  send("text/plain; charset=utf-8", DEMO_TEXTS.noSuchPage, 404);
}

async function page(name: string, version: SiteVersion): Promise<string> {
  const [layout, content] = await Promise.all([
    source("layout.html", version),
    source(`pages/${name}.html`, version),
  ]);
  const title = /^<!-- title: (.+) -->/.exec(content)?.[1] ?? name;
  const values: Record<string, string> = { title, name, content };
  return layout.replace(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? "");
}

/** Returns a file of the site, edited if the second version is shown. */
async function source(file: string, version: SiteVersion): Promise<string> {
  let text = await readFile(new URL(file, SITE), "utf8");
  if (version === 1) return text;
  for (const change of SECOND_VERSION.filter(change => change.file === file)) {
    if (!text.includes(change.find)) throw new Error(DEMO_TEXTS.notInSource(file, change.find));
    text = text.replace(change.find, () => change.replace);
  }
  return text;
}
