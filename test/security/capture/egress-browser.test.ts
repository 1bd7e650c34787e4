import assert from "node:assert/strict";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import { WebSocketServer } from "ws";
import { findBrowser } from "../../../shared/capture/browser/browser-binary.ts";
import {
  PUBLIC_IP,
  type Site,
  startSite,
  startTestContext,
  type TestContext,
} from "../../support/contexts/egress-context.ts";
import { BROWSER_CACHE } from "../../support/drivers/runner.ts";

const PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const IMAGES = 40;

describe("browser behind the egress proxy", () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let shop: Site;
  let secret: Site;
  let secretHits: string[];
  let testContext: TestContext;

  before(async () => {
    const chromiumPath = process.env.CHROMIUM_PATH ?? null;
    const { executablePath, env } = await findBrowser({
      chromiumPath,
      cacheDir: BROWSER_CACHE,
    });
    browser = await chromium.launch({ executablePath, env, args: ["--no-sandbox"] });
  });

  after(async () => {
    await browser.close();
  });

  beforeEach(async () => {
    secretHits = [];
    secret = await startSite((request, response) => {
      secretHits.push(request.url ?? "");
      response.setHeader("Access-Control-Allow-Origin", "*").end("the secret");
    });
    secret.server.on("upgrade", (request, socket) => {
      secretHits.push(request.url ?? "");
      socket.destroy();
    });
    shop = await startSite((request, response) => {
      const url = new URL(request.url ?? "/", "http://shop.example");
      const to = url.searchParams.get("to");
      if (to !== null) response.writeHead(302, { Location: to }).end();
      else if (url.pathname.endsWith(".gif")) response.setHeader("Content-Type", "image/gif").end(PIXEL);
      else response.setHeader("Content-Type", "text/html").end("<!doctype html><title>Shop</title><body>");
    });
    const sockets = new WebSocketServer({ server: shop.server });
    sockets.on("connection", socket => socket.on("message", data => socket.send(`heard ${data}`)));
    testContext = await startTestContext(shop, {
      names: { "shop.example": [[PUBLIC_IP]], "cdn.example": [[PUBLIC_IP]], "evil.example": [["127.0.0.1"]] },
    });
    context = await browser.newContext({ proxy: { server: testContext.proxy.url, bypass: "<-loopback>" } });
    page = await context.newPage();
  });

  afterEach(async () => {
    await context.close();
    await testContext.proxy.close();
    await Promise.all([shop.close(), secret.close()]);
  });

  /** Spellings of the secret site's address that the browser would follow. */
  const privateHosts = () =>
    [
      "127.0.0.1",
      "localhost",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "2130706433",
      "0x7f.1",
      "0177.0.0.1",
      "evil.example",
    ].map(host => `${host}:${secret.port}`);

  it("loads a page with many images over few connections, and uses its WebSocket", async () => {
    await page.goto("http://shop.example/");
    const loaded = await page.evaluate(async count => {
      const images = Array.from({ length: count }, (_, i) => {
        const image = new Image();
        image.src = `http://cdn.example/${i}.gif`;
        return image.decode().then(() => image.naturalWidth);
      });
      return (await Promise.all(images)).filter(width => width === 1).length;
    }, IMAGES);
    assert.equal(loaded, IMAGES);
    assert.ok(shop.connections() <= 12, `${shop.connections()} connections`);
    const heard = await page.evaluate(() => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const socket = new WebSocket("ws://shop.example/");
      socket.onopen = () => socket.send("hello");
      socket.onmessage = message => resolve(message.data);
      socket.onerror = () => reject(new Error("The WebSocket failed."));
      return promise;
    });
    assert.equal(heard, "heard hello");
  });

  it("does not render private addresses, and reports why", async () => {
    for (const host of privateHosts()) {
      const url = new URL(`http://${host}/page`);
      assert.equal((await page.goto(url.href))?.status(), statusOf(host), host);
      assert.ok(testContext.proxy.refusal(url) ?? testContext.proxy.failure(url), host);
      // It uses a separate page, because the error page at its end would disturb the next navigation.
      const tunnelled = await context.newPage();
      await assert.rejects(tunnelled.goto(`https://${host}/page`), /ERR_TUNNEL_CONNECTION_FAILED/, host);
    }
    assert.deepEqual(secretHits, []);
  });

  it("does not follow redirects to private addresses", async () => {
    for (const host of privateHosts()) {
      const target = `http://${host}/redirected`;
      const response = await page.goto(`http://shop.example/?to=${encodeURIComponent(target)}`);
      assert.equal(response?.status(), statusOf(host), host);
      assert.ok(
        testContext.proxy.refusal(new URL(target)) ?? testContext.proxy.failure(new URL(target)),
        host,
      );
    }
    assert.deepEqual(secretHits, []);
  });

  it("does not let a page reach private addresses by image, frame, fetch, redirect or WebSocket", async () => {
    await page.goto("http://shop.example/");
    const outcomes = await page.evaluate(async hosts => {
      const settled = (element: HTMLImageElement | HTMLIFrameElement, url: string) => {
        const { promise, resolve } = Promise.withResolvers<string>();
        element.onload = () => resolve(element instanceof HTMLImageElement ? "reached" : "refused");
        element.onerror = () => resolve("refused");
        element.src = url;
        document.body.append(element);
        return promise;
      };
      const fetched = (url: string) =>
        fetch(url).then(
          response => (response.ok ? "reached" : "refused"),
          () => "refused",
        );
      const connected = (url: string) => {
        const { promise, resolve } = Promise.withResolvers<string>();
        const socket = new WebSocket(url);
        socket.onopen = () => resolve("reached");
        socket.onerror = () => resolve("refused");
        return promise;
      };
      const attempts = hosts.flatMap(host => [
        settled(new Image(), `http://${host}/image`),
        settled(document.createElement("iframe"), `http://${host}/frame`),
        fetched(`http://${host}/fetch`),
        fetched(`/?to=${encodeURIComponent(`http://${host}/fetch-redirect`)}`),
        connected(`ws://${host}/socket`),
      ]);
      return await Promise.all(attempts);
    }, privateHosts());
    assert.equal(outcomes.length, 5 * privateHosts().length);
    assert.deepEqual(new Set(outcomes), new Set(["refused"]));
    assert.deepEqual(secretHits, []);
  });

  it("does not open files from a page's links", async () => {
    await page.goto("http://shop.example/");
    const blocked = page.waitForEvent("console", message =>
      message.text().includes("Not allowed to load local resource"),
    );
    await page.setContent(`<a href="file:///etc/passwd">passwords</a>`);
    await page.getByText("passwords").click();
    await blocked;
    assert.equal(page.url(), "http://shop.example/");
  });
});

/** A name with a private address gets the same response as one that does not resolve. */
function statusOf(host: string): number {
  return host.startsWith("evil.example") ? 502 : 403;
}
