import assert from "node:assert/strict";
import { CaptureTestContext } from "../../support/contexts/capture-context.ts";
import { Site } from "../../support/fixtures/site.ts";
import { html } from "../../support/fixtures/sites/flake-pages.ts";

describe("missing resources of a page", () => {
  let context: CaptureTestContext;
  let other: Site;
  let polls = 0;
  before(async () => {
    other = await Site.start({
      "/theme.css": (_request, response) => response.writeHead(503, { "Content-Type": "text/css" }).end(),
    });
    const many = Array.from({ length: 7 }, (_, n) => `<img src="/${n}.png" alt="">`).join("");
    context = await CaptureTestContext.start(
      {
        "/whole": html("<p>whole</p>"),
        "/gone": html(
          `<link rel="stylesheet" href="/app.css?key=swordfish"><img src="/gone.png" alt=""><script src="/gone.js"></script>
          <script>fetch("/me"); fetch("/data")</script>`,
        ),
        "/me": (_request, response) => response.writeHead(401).end(),
        "/data": (_request, response) => response.writeHead(503).end(),
        "/cut": html(`<img src="/cut.png" alt="">`),
        "/cut.png": (_request, response) => response.destroy(),
        "/late": html(`<p>late</p><script>fetch("/never")</script>`),
        "/never": () => {},
        "/others": html(
          `<link rel="stylesheet" href="${other.url}/theme.css"><img src="${other.url}/pixel.gif" alt=""><script src="${other.url}/count.js"></script>`,
        ),
        "/private": html(`<link rel="stylesheet" href="http://127.0.0.1:4321/theme.css">`),
        "/meant": html(
          `<img src="/blocked.png" alt=""><script>const ended = new AbortController(); fetch("/never", { signal: ended.signal }).catch(() => {}); ended.abort()</script>`,
        ),
        "/again": html(
          `<script>fetch("/twice").then(() => fetch("/twice?try=2")).then(() => document.body.append("here"))</script>`,
        ),
        "/twice": ({ url }, response) => response.writeHead(url?.endsWith("2") ? 200 : 503).end("x"),
        "/polls": html(
          `<p id="n">0</p><script>const poll = () => fetch("/poll").then(r => r.text()).then(() => setTimeout(poll, 300)); poll()
          const spin = setInterval(() => { n.textContent++ }, 50); setTimeout(() => clearInterval(spin), 2500)</script>`,
        ),
        "/poll": (_request, response) => {
          polls += 1;
          setTimeout(() => response.end("x"), 250);
        },
        "/crowd": html(
          `${Array.from({ length: 120 }, (_, n) => `<img src="${other.url}/${n}.gif" alt="">`).join("")}
          <script>addEventListener("load", () => document.head.insertAdjacentHTML("beforeend", '<link rel="stylesheet" href="/late.css">'))</script>`,
        ),
        "/many": html(many),
        "/moves": html(`<img src="/gone.png" alt="" onerror="location.replace('/whole')">`),
      },
      { settleMs: 1_000 },
    );
  });
  after(() => Promise.all([context.stop(), other.stop()]));

  const missing = async (path: string, options = {}) =>
    (await context.capture(path, { options }, "one")).missing;

  it("are empty for a complete page, also after an incomplete one", async () => {
    assert.equal((await missing("/gone")).length, 4);
    assert.deepEqual(await missing("/whole"), []);
  });

  it("have a path and a status, without the query and without refusals that scripts expect", async () => {
    assert.deepEqual((await missing("/gone")).toSorted(), [
      "/app.css (404)",
      "/data (503)",
      "/gone.js (404)",
      "/gone.png (404)",
    ]);
  });

  it("include broken connections and responses that are too late", async () => {
    assert.match((await missing("/cut")).join(), /^\/cut\.png \(\w+\)$/);
    assert.deepEqual(await missing("/late"), ["/never (no response yet)"]);
  });

  it("include only style sheets and fonts of other hosts", async () => {
    const { host } = new URL(other.url);
    assert.deepEqual(await missing("/others"), [`${host}/theme.css (503)`]);
  });

  it("have the reason when an address is refused", async () => {
    assert.match((await missing("/private")).join(), /^127\.0\.0\.1:4321\/theme\.css \(.*127\.0\.0\.1.*\)$/);
  });

  it("exclude responses of network rules", async () => {
    const stub = { action: "fulfil", status: 404, contentType: "text/css", body: "" };
    const network = ["**/app.css**", "**/gone.*", "**/data"].map(url => ({ ...stub, url }));
    assert.deepEqual(await missing("/gone", { network }), []);
  });

  it("exclude resources that a second request loaded", async () => {
    assert.deepEqual(await missing("/again"), []);
  });

  it("exclude polled resources", async () => {
    polls = 0;
    assert.deepEqual(await missing("/polls"), []);
    assert.ok(polls > 3);
  });

  it("include the page's own resources after many failures of other hosts", async () => {
    assert.deepEqual(await missing("/crowd"), ["/late.css (404)"]);
  });

  it("exclude requests that a rule blocks or the page aborts", async () => {
    assert.deepEqual(await missing("/meant", { network: [{ url: "**/blocked.png", action: "block" }] }), []);
  });

  it("are five at most, then how many more", async () => {
    const names = await missing("/many");
    assert.equal(names.length, 6);
    assert.equal(names.at(-1), "2 more");
  });

  it("belong to the captured document, not to earlier ones", async () => {
    assert.deepEqual(await missing("/moves"), []);
  });
});
