import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { Readable } from "node:stream";
import { ArchiveSite } from "../../../shared/capture/archive/archive-site.ts";
import { BrowserPool } from "../../../shared/capture/browser/browser-pool.ts";
import type { Lease } from "../../../shared/capture/browser/lease.ts";
import { captureVisit } from "../../../shared/capture/capture-in-pool.ts";
import { addressPolicy } from "../../../shared/capture/network/address-guard.ts";
import type { CaptureOptions } from "../../../shared/contracts/capture/capture-options.ts";
import { poolOptions } from "../../support/contexts/capture-context.ts";
import { type Site, startSite } from "../../support/contexts/egress-context.ts";
import { captured } from "../../support/contexts/visit-outcomes.ts";

const VIDEO = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 256));
const FILES: Record<string, string | Buffer> = {
  "index.html": "<!doctype html><title>Home</title><body>",
  "iframe.html": "<!doctype html><title>Story</title>",
  "video.mp4": VIDEO,
  "font.woff2": "font",
  "data.json": "{}",
  "sw.js": "",
  "shop.html": '<!doctype html><title>Shop</title><body><script src="shop.js"></script>',
  "shop.js": `document.body.innerHTML = '<h1 id="shop">Shop</h1>'`,
};

/** Returns a site of these files. @param unread files that the store does not return */
function siteOf(allowHosts: string[] = [], unread: string[] = []): ArchiveSite {
  const contents = new Map<string, Buffer>();
  const files = Object.entries(FILES).map(([path, content]) => {
    const bytes = Buffer.from(content);
    const hash = createHash("sha256").update(bytes).digest("hex");
    contents.set(hash, bytes);
    return { path, hash, bytes: bytes.length };
  });
  return new ArchiveSite({
    ...{ site: "http://archive.localhost/", files, allowHosts },
    async open({ path, hash }, range) {
      if (unread.includes(path)) throw new Error("The store doesn't respond.");
      const bytes = contents.get(hash) ?? Buffer.alloc(0);
      return Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes]);
    },
  });
}

describe("Pages of an archive", () => {
  let pool: BrowserPool;
  let outside: Site;
  let udp: Socket;
  let hits: string[];
  let lookups: string[];
  let packets: number;
  const leases: Lease[] = [];

  before(async () => {
    outside = await startSite((request, response) => {
      hits.push(request.url ?? "");
      response.setHeader("Access-Control-Allow-Origin", "*").end("outside");
    });
    outside.server.on("upgrade", (request, socket) => {
      hits.push(request.url ?? "");
      socket.destroy();
    });
    udp = createSocket("udp4");
    udp.bind(0, "127.0.0.1");
    await once(udp, "listening");
    udp.on("message", () => packets++);
    pool = new BrowserPool(
      poolOptions({
        // The address guard alone would let every page reach it.
        policy: addressPolicy(["localhost", "outside.example", "127.0.0.1"]),
        resolve: async host => {
          lookups.push(host);
          return ["127.0.0.1"];
        },
        limits: { selectorMs: 300 },
      }),
    );
  });
  beforeEach(() => {
    hits = [];
    lookups = [];
    packets = 0;
  });
  afterEach(async () => {
    for (const lease of leases.splice(0)) await lease.release();
  });
  after(async () => {
    await pool?.close();
    await outside?.close();
    udp?.close();
  });

  async function open(archive: ArchiveSite | undefined, path = "/"): Promise<Lease> {
    const lease = await pool.lease(crypto.randomUUID(), { archive });
    leases.push(lease);
    await lease.page.goto(`http://archive.localhost${path}`);
    return lease;
  }

  it("are served with their types, ranges, folders and queries", async () => {
    const { page } = await open(siteOf(), "/iframe.html?id=button--primary&viewMode=story");
    assert.equal(await page.title(), "Story");
    const get = (path: string, headers = {}) =>
      page.evaluate(
        async ([url, given]) => {
          const response = await fetch(url, { headers: given });
          const bytes = new Uint8Array(await response.arrayBuffer());
          const shown = ["content-type", "content-range"].map(name => response.headers.get(name));
          return [response.status, ...shown, bytes.length, bytes[0] ?? null];
        },
        [path, headers] as const,
      );
    assert.deepEqual(await get("/video.mp4", { Range: "bytes=10-19" }), [
      ...[206, "video/mp4", "bytes 10-19/1000", 10, 10],
    ]);
    assert.deepEqual(await get("/video.mp4?v=1"), [200, "video/mp4", null, 1000, 0]);
    assert.equal((await get("/video.mp4", { Range: "bytes=5000-" }))[0], 416);
    assert.equal((await get("/font.woff2"))[1], "font/woff2");
    assert.equal((await get("/data.json"))[1], "application/json; charset=utf-8");
    assert.deepEqual((await get("/missing.js")).slice(0, 2), [404, "text/html; charset=utf-8"]);
    assert.equal((await page.goto("http://archive.localhost/"))?.status(), 200);
    assert.equal(await page.title(), "Home");
    assert.equal(await page.evaluate(() => isSecureContext), true);
  });

  it("can't reach anything else", async () => {
    const { page, proxy } = await open(siteOf());
    const hosts = [
      `localhost:${outside.port}`,
      `127.0.0.1:${outside.port}`,
      `outside.example:${outside.port}`,
    ];
    for (const host of hosts) {
      const outcomes = await page.evaluate(async target => {
        const settle = (element: HTMLElement, attribute: string, url: string) =>
          new Promise<string>(resolve => {
            element.onload = () => resolve(element instanceof HTMLIFrameElement ? "shown" : "loaded");
            element.onerror = () => resolve("refused");
            element.setAttribute(attribute, url);
            document.body.append(element);
          });
        const refused = () => "refused";
        const stylesheet = Object.assign(document.createElement("link"), { rel: "stylesheet" });
        for (const rel of ["dns-prefetch", "preconnect", "prefetch", "prerender"])
          document.head.append(
            Object.assign(document.createElement("link"), { rel, href: `http://${target}/` }),
          );
        navigator.sendBeacon(`http://${target}/beacon`, "x");
        const frame = settle(document.createElement("iframe"), "src", `http://${target}/frame`);
        const socket = new Promise<string>(resolve => {
          const opened = new WebSocket(`ws://${target}/socket`);
          opened.onopen = () => resolve("opened");
          opened.onerror = () => resolve("refused");
        });
        const events = new Promise<string>(resolve => {
          const source = new EventSource(`http://${target}/events`);
          source.onopen = () => resolve("opened");
          source.onerror = () => resolve("refused");
        });
        await frame;
        return Promise.all([
          // The proxy's own answer is opaque to the page.
          fetch(`http://${target}/fetch`).then(response => response.text(), refused),
          fetch(`https://${target}/fetch`, { mode: "no-cors" }).then(() => "reached", refused),
          settle(document.createElement("img"), "src", `http://${target}/image`),
          settle(document.createElement("script"), "src", `http://${target}/script`),
          settle(stylesheet, "href", `http://${target}/style`),
          socket,
          events,
        ]);
      }, host);
      assert.deepEqual(new Set(outcomes), new Set(["refused"]), `${host}: ${outcomes}`);
      assert.match(proxy.refusal(new URL(`http://${host}/`)) ?? "", /can't reach .*allowHosts/);
    }
    assert.deepEqual([hits, lookups], [[], []]);
  });

  it("can't reach anything by a service worker, WebRTC or a WebSocket to their own origin", async () => {
    const { page } = await open(siteOf());
    const { port } = udp.address();
    const outcomes = await page.evaluate(async stunPort => {
      // Pages get no service workers at all.
      const worker: unknown = await navigator.serviceWorker.register("/sw.js").catch(() => undefined);
      const own = new Promise<string>(resolve => {
        const socket = new WebSocket("ws://archive.localhost/");
        socket.onopen = () => resolve("opened");
        socket.onerror = () => resolve("refused");
      });
      if (typeof RTCPeerConnection === "function") {
        const peer = new RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${stunPort}` }] });
        peer.createDataChannel("x");
        await peer.setLocalDescription(await peer.createOffer());
        await new Promise(resolve => setTimeout(resolve, 500));
      }
      return [typeof worker, await own];
    }, port);
    assert.deepEqual(outcomes, ["undefined", "refused"]);
    assert.deepEqual([hits, lookups, packets], [[], [], 0]);
  });

  it("reach the hosts that the run allows, if the address guard does too", async () => {
    const allowed = `localhost:${outside.port}`;
    const { page } = await open(siteOf([allowed, "192.168.0.1", "*.example"]));
    const get = (url: string) =>
      page.evaluate(
        target =>
          fetch(target).then(
            response => response.text(),
            () => "refused",
          ),
        url,
      );
    assert.equal(await get(`http://${allowed}/`), "outside");
    assert.equal(await get("http://192.168.0.1/"), "refused");
    assert.equal(await get(`http://127.0.0.1:${outside.port}/`), "refused");
    assert.deepEqual(hits, ["/"]);
  });

  it("are not served to the pages of another site", async () => {
    await open(siteOf());
    const other = await pool.lease(crypto.randomUUID());
    leases.push(other);
    const response = await other.page.goto("http://archive.localhost/");
    assert.equal(response?.status(), 403);
    assert.match(other.proxy.refusal(new URL("http://archive.localhost/")) ?? "", /private name/);
  });

  it("note a file that could not be read, so that no page without it is compared", async () => {
    const { proxy } = await open(siteOf([], ["index.html"]));
    assert.match(proxy.archive?.failure?.message ?? "", /store doesn't respond/);
    proxy.resetBytes();
    assert.equal(proxy.archive?.failure, null);
  });

  it("are retried if a file could not be read, however they failed without it", async () => {
    const cases: [path: string, unread: string, options: CaptureOptions][] = [
      ["index.html", "index.html", {}],
      ["shop.html", "shop.js", { waitForSelector: "#shop" }],
      ["shop.html", "shop.js", { element: "#shop" }],
      ["shop.html", "shop.js", { steps: [{ action: "click", selector: "#shop", timeoutMs: 3_000 }] }],
    ];
    for (const [path, unread, options] of cases) {
      const page = { url: `http://archive.localhost/${path}`, viewport: 640, options };
      const visit = (archive: ArchiveSite) =>
        captureVisit(
          pool,
          JSON.stringify(options),
          { ...page, states: [{ state: null, baselineHash: null }], archive },
          new AbortController().signal,
        );
      await assert.rejects(visit(siteOf([], [unread])), /store doesn't respond/, JSON.stringify(options));
      captured((await visit(siteOf()))?.[0]);
    }
  });
});
