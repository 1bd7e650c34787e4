import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import type { CaptureFailure } from "../../../shared/capture/capture-failure.ts";
import { captureInPool } from "../../../shared/capture/capture-in-pool.ts";
import type { CaptureOptions } from "../../../shared/contracts/capture/capture-options.ts";
import { CaptureTestContext } from "../../support/contexts/capture-context.ts";
import type { Page } from "../../support/fixtures/site.ts";
import { endlessBytes, endlessHtml } from "../../support/fixtures/sites/endless-pages.ts";
import { html } from "../../support/fixtures/sites/flake-pages.ts";

/** Long enough for a good page on a busy machine, and short enough to wait for bad ones. */
const NAVIGATION_MS = 4_000;
const BUSY_MS = 3_000;
const CAPTURE_MS = 20_000;
const SELECTOR_MS = 300;
const seconds = (ms: number) => `${ms / 1_000} seconds?`.replace(".", "\\.");

const pages: Record<string, Page> = {
  "/good": html("<h1>good</h1>"),
  "/500": (_request, response) =>
    response.writeHead(500, { "Content-Type": "text/html" }).end("<h1>oops</h1>"),
  "/never": () => {},
  "/endless": endlessHtml,
  "/waits": html('<img src="/never?key=swordfish">'),
  "/to-500": (_request, response) => response.writeHead(302, { Location: "/500?key=swordfish" }).end(),
  "/huge": html('<script>fetch("/bytes").then(r => r.blob())</script>'),
  "/bytes": endlessBytes,
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
  "/many": html("<p>x</p>".repeat(45_000)),
  "/asks-often": html(
    `<h1>asks</h1><script>for (let n = 0; n < 100; n++) fetch("/" + "a".repeat(Number(location.search.slice(1))) + n + "b").catch(() => {})</script>`,
  ),
  "/stay": html("<h1>good</h1><script>onbeforeunload = () => true</script>"),
  "/to-private": (_request, response) => response.writeHead(302, { Location: "http://10.1.2.3/" }).end(),
  "/to-file": (_request, response) => response.writeHead(302, { Location: "file:///etc/passwd" }).end(),
};

describe("pages that cannot be captured", () => {
  let context: CaptureTestContext;

  before(async () => {
    context = await CaptureTestContext.start(pages, {
      navigationMs: NAVIGATION_MS,
      busyMs: BUSY_MS,
      captureMs: CAPTURE_MS,
      // A page that is not stable in this time is captured as it is.
      settleMs: 1_000,
      selectorMs: SELECTOR_MS,
      maxBytes: 20 * 1024 * 1024,
      heapMiB: 64,
      maxMatchSteps: 20_000_000,
    });
  });
  after(() => context.stop());

  type Case = [path: string, code: CaptureFailure, says: RegExp];

  /** Asserts that each page fails as it should, and that neither a page beside it nor the next page fails. */
  async function fail(cases: Case[]): Promise<void> {
    const failures = cases.map(([path]) => context.failure(path));
    const [good, errors] = await Promise.all([context.capture("/good", {}, "beside"), Promise.all(failures)]);
    assert.equal(good.stable, true);
    for (const [index, [path, code, says]] of cases.entries()) {
      const error = errors[index];
      assert.match(error?.message ?? "", says);
      assert.deepEqual([path, error?.code, error?.retryable], [path, code, false]);
    }
    assert.equal((await context.capture("/good")).hash, good.hash);
  }

  const cases: Case[] = [
    ["/500", "http_status", /\/500 returned status 500/],
    ["/missing", "http_status", /returned status 404\. Check the route/],
    ["/to-500", "http_status", /^http:\/\/localhost:\d+\/500 returned status 500/],
    ["/huge", "too_large", /loads more than 20 MiB.*options\.network/],
    ["/around", "redirect_loop", /redirects in a loop/],
    ["/script-around", "redirect_loop", /keeps navigating/],
    ["/pdf", "not_a_page", /is a download/],
    ["/file", "not_a_page", /is a download/],
    ["/nothing", "not_a_page", /returns no page/],
    ["/hang", "timeout", /scripts keep the browser busy/],
    ["/hang-later", "timeout", /scripts keep the browser busy/],
    ["/memory", "page_crashed", /64 MiB/],
    ["/alerts", "timeout", /./],
    ["/to-private", "refused_address", /redirects to http:\/\/10\.1\.2\.3\/.*private address/],
    ["/to-file", "refused_address", /not http: or https:/],
    ["http://127.0.0.1/", "refused_address", /127\.0\.0\.1 is a loopback address/],
    ["http://no-such-host.invalid/", "unreachable", /no-such-host\.invalid/],
    ["ftp://localhost/", "refused_address", /only http: and https:/],
  ];
  for (const [path, code, says] of cases) {
    it(`fail as ${code} at ${path}, and the next page is captured`, () => fail([[path, code, says]]));
  }

  it("fail as timeout when they never finish loading, with what they wait for", () =>
    fail([
      ["/never", "timeout", new RegExp(`/never did not respond within ${seconds(NAVIGATION_MS)}`)],
      ["/endless", "timeout", new RegExp(`still loading after ${seconds(NAVIGATION_MS)}`)],
      ["/waits", "timeout", /still waits for http:\/\/localhost:\d+\/never\. /],
    ]));

  it("fail with a message when nothing listens on the site's port", async () => {
    const server = createServer().listen(0);
    await once(server, "listening");
    const address = server.address();
    assert.ok(address !== null && typeof address === "object");
    server.close();
    await once(server, "close");
    const error = await context.failure(`http://localhost:${address.port}/`);
    assert.equal(error.code, "unreachable");
    assert.match(error.message, /Check that the site is up/);
  });

  it("fail with the name of a selector that never appears or is invalid", async () => {
    const missing = await context.failure("/good", { options: { waitForSelector: "#never" } });
    assert.equal(missing.code, "selector_missing");
    assert.match(missing.message, new RegExp(`"#never" became visible within ${seconds(SELECTOR_MS)}`));
    for (const options of [{ waitForSelector: "a[" }, { masks: ["h1", "a["] }, { hide: ["a["] }]) {
      const invalid = await context.failure("/good", { options });
      assert.equal(invalid.code, "selector_invalid");
      assert.match(invalid.message, /"a\[" is not a valid CSS selector/);
    }
    // CSS closes an open bracket at the end of a selector, but not inside the rule that contains it.
    const open = await context.failure("/good", { options: { hide: ["h1:not(.a"] } });
    assert.equal(open.code, "selector_invalid");
    assert.match(open.message, /"h1:not\(\.a" is not a valid CSS selector/);
  });

  const costly: CaptureOptions[] = [
    { waitForSelector: "p:has(~ p ~ p ~ p ~ i)" },
    { masks: Array.from({ length: 100 }, (_, at) => `p:nth-child(n + ${at})`) },
    { hide: Array.from({ length: 100 }, (_, at) => `p:has(~ p ~ p ~ i:nth-child(${at}))`) },
  ];
  for (const options of costly) {
    it(`fail when selectors of ${Object.keys(options)} keep them busy, and the next page is captured`, async () => {
      const [failure, good] = await Promise.all([
        context.failure("/many", { options }),
        context.capture("/good", {}, "beside selectors"),
      ]);
      assert.deepEqual([failure.code, good.stable], ["timeout", true]);
      assert.match(failure.message, /or the CSS selectors in the options keep the browser busy/);
    });
  }

  it("fail when their network rules have too many wildcards", async () => {
    const network = Array.from({ length: 100 }, () => ({
      url: `${"**a".repeat(20)}b`,
      action: "block" as const,
    }));
    const error = await context.failure("/asks-often", { options: { network } });
    assert.equal(error.code, "too_large");
    assert.match(error.message, /have 2,000 wildcards/);
  });

  it("fail when their requests exceed the limit of network rules, but not for longer URLs", async () => {
    const url = `${context.site.url}/${"*a".repeat(18)}*c*b`;
    const network = Array.from({ length: 15 }, () => ({ url, action: "block" as const }));
    const error = await context.failure("/asks-often?3000", { options: { network } });
    assert.equal(error.code, "too_large");
    assert.match(error.message, /Use fewer wildcards/);
    // No glob with this many wildcards is matched against these URLs.
    assert.equal((await context.capture("/asks-often?15000", { options: { network } })).stable, true);
  });

  it("do not include a loaded page whose host refuses later requests", async () => {
    const server = createHttpServer((_request, response) => {
      const headers = { "Content-Type": "text/html", Connection: "close" };
      response.writeHead(200, headers).end('<h1>good</h1><img src="/late.png" width="9" height="9">');
      server.close();
    }).listen(0);
    await once(server, "listening");
    const address = server.address();
    assert.ok(address !== null && typeof address === "object");
    const { stable, moving } = await context.capture(`http://localhost:${address.port}/`);
    assert.deepEqual([stable, moving], [false, ["html (a second load failed)"]]);
  });

  it("are not reported as unreachable when they load and then hang", async () => {
    const server = createHttpServer((request, response) => {
      if (request.url === "/never.png") return void server.close();
      const page = `<img src="/never.png"><script>setTimeout(() => { new Image().src = "/late.png" }, 300)</script>`;
      response.writeHead(200, { "Content-Type": "text/html", Connection: "close" }).end(html(page));
    }).listen(0);
    await once(server, "listening");
    const address = server.address();
    assert.ok(address !== null && typeof address === "object");
    const error = await context.failure(`http://localhost:${address.port}/`);
    server.closeAllConnections();
    assert.equal(error.code, "timeout");
    assert.match(error.message, /still waits for \S+\/never\.png/);
  });

  it("do not keep the next page from being captured when they hang after their capture", async () => {
    const request = { url: `${context.site.url}/good`, viewport: 640, baselineHash: null, options: {} };
    const first = await context.capture("/good", {}, "hung");
    const lease = await context.pool.lease("hung");
    await lease.page.evaluate(
      () =>
        void setTimeout(() => {
          for (;;);
        }, 0),
    );
    await lease.release();
    const next = await captureInPool(context.pool, "hung", request, new AbortController().signal);
    assert.ok(next !== null && !(next instanceof Error));
    assert.equal(next.hash, first.hash);
  });

  it("are left also when they ask to stay", async () => {
    const first = await context.capture("/stay", {}, "stay");
    assert.equal((await context.capture("/stay", {}, "stay")).hash, first.hash);
  });

  it("stop at once when the signal aborts", async () => {
    const lease = await context.pool.lease("stopped");
    const stop = new AbortController();
    const { capture } = await import("../../../shared/capture/page/capture.ts");
    const url = `${context.site.url}/never`;
    lease.page.once("request", () => stop.abort(new Error("canceled")));
    await assert.rejects(
      capture(lease, { url, viewport: 640, baselineHash: null, options: {} }, stop.signal),
      /canceled/,
    );
    assert.equal(lease.isUsable, false);
    await lease.release();
  });
});
