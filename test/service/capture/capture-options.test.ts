import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import sharp from "sharp";
import type { Capture } from "../../../shared/capture/capture-types.ts";
import { CaptureTestContext } from "../../support/contexts/capture-context.ts";
import { html } from "../../support/fixtures/flake-pages.ts";
import { Site } from "../../support/fixtures/site.ts";

const MASK = "#8a8f98";

/** A page that asks the other site and its own for something, once directly and once by a redirect. */
const asking = (other: string) =>
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
        response.writeHead(200, { "Content-Type": "text/html" }).end(asking(other.url));
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
      "/tall": html('<div style="height:30000px;background:linear-gradient(#fff,#d62828)"></div>'),
      "/wide": html('<div style="width:900px;height:20px;background:#d62828"></div>'),
    });
  });
  after(() => Promise.all([context.stop(), other.stop()]));

  it("covers masked elements with one flat colour, where they are: fixed, far down, in a closed shadow root", async () => {
    const taken = await context.take("/boxes", {
      options: { masks: [".fixed", ".low", ".inner", ".nothing"] },
    });
    assert.deepEqual(await coloursAt(taken, [30, 30], [40, 1520], [30, 1555]), [MASK, MASK, MASK]);
    assert.deepEqual(await coloursAt(taken, [62, 30], [85, 1520]), ["#ffffff", "#ffffff"]);
  });

  it("covers a masked dialog", async () => {
    const taken = await context.take("/dialog", { options: { masks: ["dialog"] } });
    const plain = await context.take("/dialog");
    assert.deepEqual(await coloursAt(taken, [320, 400]), [MASK]);
    assert.deepEqual(await coloursAt(plain, [320, 400]), ["#d62828"]);
  });

  it("hides elements, which keep their place", async () => {
    const [hidden, plain] = await Promise.all([
      context.take("/boxes", { options: { hide: [".fixed", ".inner"] } }),
      context.take("/boxes"),
    ]);
    assert.deepEqual(await coloursAt(hidden, [30, 30], [40, 1520], [30, 1555]), [
      "#ffffff",
      "#2a9d8f",
      "#ffffff",
    ]);
    assert.deepEqual(await coloursAt(plain, [30, 30], [30, 1555]), ["#d62828", "#264653"]);
    assert.equal(hidden.height, plain.height);
  });

  it("waits for an element", async () => {
    const taken = await context.take("/late-element", { options: { waitForSelector: "#late" } });
    assert.deepEqual(await coloursAt(taken, [50, 220]), ["#2a9d8f"]);
  });

  it("sends headers to the page's own origin only, redirects considered", async () => {
    seen.clear();
    await context.take("/asks", { options: { headers: { "X-Secret": "for you" } } });
    assert.deepEqual(Object.fromEntries(seen), {
      "/asks": "for you",
      "/own": "for you",
      "/direct": undefined,
      "/redirected": undefined,
    });
  });

  it("sends no header of one screenshot with the next", async () => {
    const key = "headers";
    await context.take("/asks", { options: { headers: { "X-Secret": "once" } } }, key);
    seen.clear();
    await context.take("/asks", {}, key);
    assert.deepEqual([...new Set(seen.values())], [undefined]);
  });

  it("blocks and fulfils requests, the first rule that matches deciding", async () => {
    seen.clear();
    const fulfil = {
      action: "fulfil",
      status: 200,
      contentType: "text/html",
      body: '<body style="background:#2a9d8f">',
    } as const;
    await context.take("/asks", {
      options: {
        network: [
          { url: `${other.url}/*`, action: "block" },
          { ...fulfil, url: "**/direct" },
          { url: "**/own", action: "block" },
        ],
      },
    });
    assert.deepEqual([seen.has("/asks"), seen.has("/own"), seen.has("/direct")], [true, false, false]);
    const replaced = await context.take("/boxes", {
      options: { network: [{ ...fulfil, url: "**/boxes" }], headers: { "X-A": "b" } },
    });
    assert.deepEqual(await coloursAt(replaced, [300, 300]), ["#2a9d8f"]);
  });

  it("cuts a page at 20,000 px and says how high it was", async () => {
    const taken = await context.take("/tall", { viewport: 240 });
    assert.deepEqual([taken.width, taken.height, taken.cutFromHeight], [240, 20_000, 30_000]);
    const { width, height } = await sharp(taken.png).metadata();
    assert.deepEqual([width, height], [240, 20_000]);
  });

  it("takes what overflows to the right as well", async () => {
    const taken = await context.take("/wide");
    assert.deepEqual([taken.width, taken.height, taken.cutFromHeight], [900, 800, null]);
    assert.deepEqual(await coloursAt(taken, [890, 10]), ["#d62828"]);
  });

  it("takes one screenshot only when the baseline's bytes come back", async () => {
    const first = await context.take("/boxes");
    const second = await context.take("/boxes", { baselineHash: first.hash });
    assert.deepEqual([first.attempts, second.attempts, second.hash], [2, 1, first.hash]);
    assert.match(second.browser, /^chromium \d+\./);
  });
});

async function coloursAt({ png }: Capture, ...points: [x: number, y: number][]): Promise<string[]> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return points.map(([x, y]) => {
    const at = (y * info.width + x) * info.channels;
    return `#${data.subarray(at, at + 3).toString("hex")}`;
  });
}
