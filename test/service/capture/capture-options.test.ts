import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import sharp from "sharp";
import { CaptureTestContext } from "../../support/contexts/capture-context.ts";
import { colorsAt } from "../../support/contexts/visit-outcomes.ts";
import { Site } from "../../support/fixtures/site.ts";
import { html } from "../../support/fixtures/sites/flake-pages.ts";

const MASK = "#8a8f98";

/** A page that sends requests to the other site and to its own, directly and through a redirect. */
const requestsTo = (other: string) =>
  html(
    `<h1>asks</h1><script>for (const url of ["/own", "${other}/direct", "/away"]) fetch(url, { mode: "no-cors" })</script>`,
  );

describe("capture options", () => {
  let context: CaptureTestContext;
  let other: Site;
  const seen = new Map<string, string | undefined>();
  const note = (request: IncomingMessage, response: ServerResponse) => {
    seen.set(request.url ?? "", request.headers["x-secret"]?.toString());
    response.end("noted");
  };

  before(async () => {
    other = await Site.start({ "/direct": note, "/redirected": note });
    context = await CaptureTestContext.start({
      "/asks": (request, response) => {
        seen.set("/asks", request.headers["x-secret"]?.toString());
        response.writeHead(200, { "Content-Type": "text/html" }).end(requestsTo(other.url));
      },
      "/own": note,
      "/away": (_request, response) => response.writeHead(302, { Location: `${other.url}/redirected` }).end(),
      "/boxes":
        html(`<div class="fixed" style="position:fixed;top:10px;left:10px;width:50px;height:50px;background:#d62828"></div>
        <div style="height:1500px"></div><div class="low" style="width:80px;height:40px;background:#2a9d8f"></div><div id="host"></div>
        <script>host.attachShadow({ mode: "closed" }).innerHTML = '<p class="inner" style="width:60px;height:30px;margin:0;background:#264653"></p>'</script>`),
      "/dialog": html(
        `<dialog id="d" style="width:200px;height:100px;background:#d62828;border:0"></dialog><script>d.showModal()</script>`,
      ),
      "/late-element": html(
        `<p>first</p><script>let n = 0; const tick = () => ++n < 90 ? requestAnimationFrame(tick) : document.body.insertAdjacentHTML("beforeend", "<p id=late style='background:#2a9d8f;height:50px;margin:0;position:absolute;top:200px;width:100px'></p>"); tick()</script>`,
      ),
      "/clipped": html(
        `<div style="height:1000px;overflow:hidden"><div class="inner" style="width:100px;height:3000px"></div></div>`,
      ),
      "/tall": html('<div style="height:30000px;background:linear-gradient(#fff,#d62828)"></div>'),
      "/wide": html('<div style="width:900px;height:20px;background:#d62828"></div>'),
    });
  });
  after(() => Promise.all([context.stop(), other.stop()]));

  it("cover masked elements with one flat color: fixed ones, far down, and in a closed shadow root", async () => {
    const captured = await context.capture("/boxes", {
      options: { masks: [".fixed", ".low", ".inner", ".nothing"] },
    });
    assert.deepEqual(await colorsAt(captured, [30, 30], [40, 1520], [30, 1555]), [MASK, MASK, MASK]);
    assert.deepEqual(await colorsAt(captured, [62, 30], [85, 1520]), ["#ffffff", "#ffffff"]);
  });

  it("cover masked elements without making the page larger", async () => {
    const masked = await context.capture("/clipped", { options: { masks: [".inner"] } });
    const { height } = await context.capture("/clipped");
    assert.equal(masked.height, height);
    assert.deepEqual(await colorsAt(masked, [50, 900]), [MASK]);
  });

  it("cover a masked dialog", async () => {
    const captured = await context.capture("/dialog", { options: { masks: ["dialog"] } });
    const plain = await context.capture("/dialog");
    assert.deepEqual(await colorsAt(captured, [320, 400]), [MASK]);
    assert.deepEqual(await colorsAt(plain, [320, 400]), ["#d62828"]);
  });

  it("hide elements, which keep their space", async () => {
    const [hidden, plain] = await Promise.all([
      context.capture("/boxes", { options: { hide: [".fixed", ".inner"] } }),
      context.capture("/boxes"),
    ]);
    assert.deepEqual(await colorsAt(hidden, [30, 30], [40, 1520], [30, 1555]), [
      "#ffffff",
      "#2a9d8f",
      "#ffffff",
    ]);
    assert.deepEqual(await colorsAt(plain, [30, 30], [30, 1555]), ["#d62828", "#264653"]);
    assert.equal(hidden.height, plain.height);
  });

  it("wait for an element", async () => {
    const captured = await context.capture("/late-element", { options: { waitForSelector: "#late" } });
    assert.deepEqual(await colorsAt(captured, [50, 220]), ["#2a9d8f"]);
  });

  it("send headers to the page's own origin only, also after redirects", async () => {
    seen.clear();
    await context.capture("/asks", { options: { headers: { "X-Secret": "for you" } } });
    assert.deepEqual(Object.fromEntries(seen), {
      "/asks": "for you",
      "/own": "for you",
      "/direct": undefined,
      "/redirected": undefined,
    });
  });

  it("send headers of a page that is there already, as in a preview of stories", async () => {
    seen.clear();
    const lease = await context.pool.lease("preview");
    try {
      const url = new URL("/boxes", context.site.url).href;
      await lease.page.goto(url);
      const remove = await lease.driver.sendHeaders(url, { "X-Secret": "for you" });
      await lease.page.evaluate(() => fetch("/own"));
      await remove();
    } finally {
      await lease.release();
    }
    assert.equal(seen.get("/own"), "for you");
  });

  it("send no header of one screenshot with the next", async () => {
    const key = "headers";
    await context.capture("/asks", { options: { headers: { "X-Secret": "once" } } }, key);
    seen.clear();
    await context.capture("/asks", {}, key);
    assert.deepEqual([...new Set(seen.values())], [undefined]);
  });

  it("block and fulfill requests by the first rule that matches", async () => {
    seen.clear();
    const fulfil = {
      action: "fulfil",
      status: 200,
      contentType: "text/html",
      body: '<body style="background:#2a9d8f">',
    } as const;
    await context.capture("/asks", {
      options: {
        network: [
          { url: `${other.url}/*`, action: "block" },
          { ...fulfil, url: "**/direct" },
          { url: "**/own", action: "block" },
        ],
      },
    });
    assert.deepEqual([seen.has("/asks"), seen.has("/own"), seen.has("/direct")], [true, false, false]);
    const replaced = await context.capture("/boxes", {
      options: { network: [{ ...fulfil, url: "**/boxes" }], headers: { "X-A": "b" } },
    });
    assert.deepEqual(await colorsAt(replaced, [300, 300]), ["#2a9d8f"]);
  });

  it("cut a page at 20,000 px and report its full height", async () => {
    const captured = await context.capture("/tall", { viewport: 240 });
    assert.deepEqual([captured.width, captured.height, captured.cutFromHeight], [240, 20_000, 30_000]);
    const { width, height } = await sharp(captured.png).metadata();
    assert.deepEqual([width, height], [240, 20_000]);
  });

  it("include content that overflows to the right", async () => {
    const captured = await context.capture("/wide");
    assert.deepEqual([captured.width, captured.height, captured.cutFromHeight], [900, 800, null]);
    assert.deepEqual(await colorsAt(captured, [890, 10]), ["#d62828"]);
  });

  it("need one screenshot when it equals the baseline", async () => {
    const first = await context.capture("/boxes");
    const second = await context.capture("/boxes", { baselineHash: first.hash });
    assert.deepEqual([first.attempts, second.attempts, second.hash], [2, 1, first.hash]);
    assert.match(second.browser, /^chromium \d+\./);
  });
});
