import assert from "node:assert/strict";
import { CaptureTestContext } from "../../support/contexts/capture-context.ts";
import { html } from "../../support/fixtures/flake-pages.ts";
import { Site } from "../../support/fixtures/site.ts";

describe("what a page asked for and did not get", () => {
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
    (await context.take(path, { options }, "one")).missing;

  it("is nothing on a page that is whole, also after one that was not", async () => {
    assert.equal((await missing("/gone")).length, 4);
    assert.deepEqual(await missing("/whole"), []);
  });

  it("is told by path and status, without the query, and without what scripts may well be refused", async () => {
    assert.deepEqual((await missing("/gone")).toSorted(), [
      "/app.css (404)",
      "/data (503)",
      "/gone.js (404)",
      "/gone.png (404)",
    ]);
  });

  it("is told where the connection broke, or no answer came in time", async () => {
    assert.match((await missing("/cut")).join(), /^\/cut\.png \(\w+\)$/);
    assert.deepEqual(await missing("/late"), ["/never (no response yet)"]);
  });

  it("is of other hosts only what gives the page its looks", async () => {
    const { host } = new URL(other.url);
    assert.deepEqual(await missing("/others"), [`${host}/theme.css (503)`]);
  });

  it("is told with the reason where the address may not be asked", async () => {
    assert.match((await missing("/private")).join(), /^127\.0\.0\.1:4321\/theme\.css \(.*127\.0\.0\.1.*\)$/);
  });

  it("is not what a rule answers so", async () => {
    const stub = { action: "fulfil", status: 404, contentType: "text/css", body: "" };
    const network = ["**/app.css**", "**/gone.*", "**/data"].map(url => ({ ...stub, url }));
    assert.deepEqual(await missing("/gone", { network }), []);
  });

  it("is not what came when it was asked for again", async () => {
    assert.deepEqual(await missing("/again"), []);
  });

  it("is not what a page asks for all the time", async () => {
    polls = 0;
    assert.deepEqual(await missing("/polls"), []);
    assert.ok(polls > 3);
  });

  it("is told for the page's own, however much of others' fails before", async () => {
    assert.deepEqual(await missing("/crowd"), ["/late.css (404)"]);
  });

  it("is not what a rule blocks, or the page itself gave up", async () => {
    assert.deepEqual(await missing("/meant", { network: [{ url: "**/blocked.png", action: "block" }] }), []);
  });

  it("is five at most, and how many more", async () => {
    const names = await missing("/many");
    assert.equal(names.length, 6);
    assert.equal(names.at(-1), "2 more");
  });

  it("is that of the page which is seen, and of none before it", async () => {
    assert.deepEqual(await missing("/moves"), []);
  });
});
