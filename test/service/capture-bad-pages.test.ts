import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import type { CaptureFailure } from "../../shared/capture/capture-failure.ts";
import { CaptureRig } from "../support/capture-rig.ts";
import { html } from "../support/flake-pages.ts";
import type { Page } from "../support/site.ts";

const NAVIGATION_MS = 1_500;

const pages: Record<string, Page> = {
  "/good": html("<h1>good</h1>"),
  "/500": (_request, response) =>
    response.writeHead(500, { "Content-Type": "text/html" }).end("<h1>oops</h1>"),
  "/never": () => {},
  "/endless": (_request, response) => {
    response.writeHead(200, { "Content-Type": "text/html" });
    const timer = setInterval(() => response.write("<p>more</p>"), 50);
    response.on("close", () => clearInterval(timer));
  },
  "/waits": html('<img src="/never">'),
  "/huge": html('<script>fetch("/bytes").then(r => r.blob())</script>'),
  "/bytes": (_request, response) => {
    const chunk = Buffer.alloc(1024 * 1024);
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.writeHead(200, { "Content-Type": "application/octet-stream" });
    response.on("drain", more);
    more();
  },
  "/around": (_request, response) => response.writeHead(302, { Location: "/around" }).end(),
  "/script-around": html('<script>location.replace("/script-around?" + Math.random())</script>'),
  "/pdf": (_request, response) =>
    response.writeHead(200, { "Content-Type": "application/pdf" }).end("%PDF-1.4"),
  "/file": (_request, response) =>
    response.writeHead(200, { "Content-Type": "text/html", "Content-Disposition": "attachment" }).end("x"),
  "/nothing": (_request, response) => response.writeHead(204).end(),
  "/hang": html("<script>while (true);</script>"),
  "/hang-later": html("<script>setTimeout(() => { while (true); }, 30)</script>"),
  "/memory": html("<script>const all = []; for (;;) all.push(new Array(1e6).fill(1.5))</script>"),
  "/alerts": html('<script>for (;;) alert("again")</script>'),
  "/stay": html("<h1>good</h1><script>onbeforeunload = () => true</script>"),
  "/to-private": (_request, response) => response.writeHead(302, { Location: "http://10.1.2.3/" }).end(),
  "/to-file": (_request, response) => response.writeHead(302, { Location: "file:///etc/passwd" }).end(),
};

describe("pages that cannot be captured", () => {
  let rig: CaptureRig;

  before(async () => {
    rig = await CaptureRig.start(pages, {
      navigationMs: NAVIGATION_MS,
      busyMs: 500,
      captureMs: 8_000,
      settleMs: 1_000,
      selectorMs: 300,
      maxBytes: 20 * 1024 * 1024,
      heapMiB: 64,
    });
  });
  after(() => rig.stop());

  const cases: [path: string, code: CaptureFailure, says: RegExp][] = [
    ["/500", "http_status", /\/500 answered 500/],
    ["/missing", "http_status", /answered 404; check the route/],
    ["/never", "timeout", /\/never did not answer within 1\.5 s/],
    ["/endless", "timeout", /still being sent after 1\.5 s/],
    ["/waits", "timeout", /still waits for \S+\/never/],
    ["/huge", "too_large", /loads more than 20 MiB.*options\.network/],
    ["/around", "redirect_loop", /redirects for ever/],
    ["/script-around", "redirect_loop", /keeps sending the browser on/],
    ["/pdf", "not_a_page", /is a download/],
    ["/file", "not_a_page", /is a download/],
    ["/nothing", "not_a_page", /without a page/],
    ["/hang", "timeout", /scripts keep the browser busy/],
    ["/hang-later", "timeout", /scripts keep the browser busy/],
    ["/memory", "page_crashed", /64 MiB/],
    ["/alerts", "timeout", /./],
    ["/to-private", "refused_address", /leads to http:\/\/10\.1\.2\.3\/.*private address/],
    ["/to-file", "refused_address", /not http: or https:/],
    ["http://127.0.0.1/", "refused_address", /127\.0\.0\.1 is a loopback address/],
    ["http://no-such-host.invalid/", "unreachable", /no-such-host\.invalid/],
    ["ftp://localhost/", "refused_address", /only http: and https:/],
  ];
  for (const [path, code, says] of cases) {
    it(`fails ${path} as ${code}, and goes on with the next page`, async () => {
      const [error, good] = await Promise.all([rig.failure(path), rig.take("/good", {}, "beside")]);
      assert.match(error.message, says);
      assert.deepEqual([error.code, error.retryable, good.stable], [code, false, true]);
      assert.equal((await rig.take("/good")).hash, good.hash);
    });
  }

  it("says that nothing listens at a site's port", async () => {
    const server = createServer().listen(0);
    await once(server, "listening");
    const address = server.address();
    assert.ok(address !== null && typeof address === "object");
    server.close();
    await once(server, "close");
    const error = await rig.failure(`http://localhost:${address.port}/`);
    assert.equal(error.code, "unreachable");
    assert.match(error.message, /Check that the site is up/);
  });

  it("names a selector that never appears, and one that is none", async () => {
    const missing = await rig.failure("/good", { options: { waitForSelector: "#never" } });
    assert.equal(missing.code, "selector_missing");
    assert.match(missing.message, /"#never" became visible within 0\.3 s/);
    for (const options of [{ waitForSelector: "a[" }, { masks: ["h1", "a["] }, { hide: ["a["] }]) {
      const invalid = await rig.failure("/good", { options });
      assert.equal(invalid.code, "selector_invalid");
      assert.match(invalid.message, /"a\[" is not a valid CSS selector/);
    }
    // A page closes what is open at the end of a selector, but not in the rule that it is put into.
    const open = await rig.failure("/good", { options: { hide: ["h1:not(.a"] } });
    assert.equal(open.code, "selector_invalid");
    assert.match(open.message, /"h1:not\(\.a" is not a valid CSS selector/);
  });

  it("takes a page that came, though its host refuses what it asks for after that", async () => {
    const server = createHttpServer((_request, response) => {
      const headers = { "Content-Type": "text/html", Connection: "close" };
      response.writeHead(200, headers).end('<h1>good</h1><img src="/late.png" width="9" height="9">');
      server.close();
    }).listen(0);
    await once(server, "listening");
    const address = server.address();
    assert.ok(address !== null && typeof address === "object");
    assert.equal((await rig.take(`http://localhost:${address.port}/`)).stable, true);
  });

  it("leaves a page that asks to stay", async () => {
    const first = await rig.take("/stay", {}, "stay");
    assert.equal((await rig.take("/stay", {}, "stay")).hash, first.hash);
  });

  it("stops at once when it is told to", async () => {
    const lease = await rig.pool.lease("stopped");
    const stop = new AbortController();
    const { capture } = await import("../../shared/capture/capture.ts");
    const url = `${rig.site.url}/never`;
    lease.page.once("request", () => stop.abort(new Error("canceled")));
    await assert.rejects(
      capture(lease, { url, viewport: 640, baselineHash: null, options: {} }, stop.signal),
      /canceled/,
    );
    assert.equal(lease.usable, false);
    await lease.release();
  });
});
