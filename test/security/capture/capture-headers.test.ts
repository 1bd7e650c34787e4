import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { BrowserPool } from "../../../shared/capture/browser/browser-pool.ts";
import { addressPolicy } from "../../../shared/capture/network/address-guard.ts";
import { capture } from "../../../shared/capture/page/capture.ts";
import { poolOptions } from "../../support/contexts/capture-context.ts";
import { html } from "../../support/fixtures/flake-pages.ts";
import { Site } from "../../support/fixtures/site.ts";

const SECRET = "Bearer for the site only";
const CORS = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" };
const worker = (source: string) => `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(source)}])))`;

/** Everything that a document can ask a site for; the paths begin with `name`. */
const asking = (site: string, name: string) => `
  fetch("${site}/${name}-cors").then(answer => answer.text()).then(read => note(read), () => {});
  fetch("${site}/${name}-no-cors", { mode: "no-cors" });
  new Image().src = "${site}/${name}-image";
  const loaded = (tag, field, path) =>
    document.body.append(Object.assign(document.createElement(tag), { [field]: "${site}/${name}-" + path }));
  loaded("script", "src", "script");
  loaded("iframe", "src", "frame");
  loaded("object", "data", "object");
  loaded("iframe", "srcdoc", "");
  document.body.lastChild.srcdoc = "<script>fetch('${site}/${name}-srcdoc')</scr" + "ipt>";
  ${worker(`fetch("${site}/${name}-worker").catch(() => {})`)};
  new SharedWorker("data:text/javascript,fetch('${site}/${name}-shared')");`;

const KINDS = ["cors", "no-cors", "image", "script", "frame", "object", "srcdoc", "worker"];

describe("headers of a run", () => {
  let pool: BrowserPool;
  let site: Site;
  let stranger: Site;
  /** The same, at an address for which the browser has another process. */
  let farStranger: string;
  /** What came, and whether with the headers. */
  const seen = new Map<string, boolean>();
  /** What a stranger's document could read. */
  const read: string[] = [];

  const note = (request: IncomingMessage, response: ServerResponse, type = "text/html", body = "x") => {
    const { pathname } = new URL(request.url ?? "", "http://x");
    const carries = request.headers.authorization === SECRET;
    if (request.method !== "OPTIONS") seen.set(pathname, (seen.get(pathname) ?? false) || carries);
    const echoed = carries ? SECRET : body;
    response.writeHead(200, { "Content-Type": type, ...CORS }).end(echoed);
  };
  const redirect = (to: string) => (_request: IncomingMessage, response: ServerResponse) =>
    response.writeHead(302, { Location: to, ...CORS }).end();

  before(async () => {
    [site, stranger] = await Promise.all([Site.start(), Site.start()]);
    farStranger = stranger.url.replace("localhost", "127.0.0.1");
    const policy = addressPolicy(["localhost", "127.0.0.1"]);
    pool = new BrowserPool(poolOptions({ policy }));
    stranger.pages.set("/read", (request, response) => {
      read.push(decodeURIComponent(new URL(request.url ?? "", "http://x").search.slice(1)));
      response.end();
    });
  });
  after(() => Promise.all([pool?.close(), site?.stop(), stranger?.stop()]));
  beforeEach(() => {
    seen.clear();
    read.length = 0;
  });

  const take = async (body: string) => {
    site.pages.set("/", (request, response) => note(request, response, "text/html", html(body)));
    // What is asked for while there are headers is answered with a document, so that the page goes on.
    site.pages.set("/page", (request, response) => {
      seen.set("/page", request.headers.authorization === SECRET);
      response.writeHead(200, { "Content-Type": "text/html" }).end(html(body));
    });
    const lease = await pool.lease(crypto.randomUUID());
    const options = { headers: { Authorization: SECRET } };
    try {
      await capture(lease, { url: `${site.url}/page`, viewport: 640, baselineHash: null, options });
    } finally {
      await lease.release();
    }
    assert.equal(seen.get("/page"), true, "the page itself gets them");
  };
  const answer = (...paths: string[]) => {
    for (const path of paths)
      site.pages.set(path, (request, response) =>
        path.endsWith("-script") ? note(request, response, "text/javascript", "0") : note(request, response),
      );
  };
  const outcome = (name: string) =>
    Object.fromEntries(KINDS.map(kind => [kind, seen.get(`/${name}-${kind}`)]));
  const all = (carries: boolean) => Object.fromEntries(KINDS.map(kind => [kind, carries]));

  it("go with what the page, its workers and its own frames ask its origin for", async () => {
    answer(...KINDS.flatMap(kind => [`/top-${kind}`, `/inner-${kind}`]), "/inner-worker.js", "/from-worker");
    site.pages.set("/inner", (request, response) => {
      const body = `<body><script>const note = () => {}; ${asking(site.url, "inner")}</script>`;
      seen.set("/inner", request.headers.authorization === SECRET);
      response.writeHead(200, { "Content-Type": "text/html" }).end(body);
    });
    await take(
      `<script>const note = () => {}; ${asking(site.url, "top")}</script><iframe src="/inner"></iframe>`,
    );
    assert.deepEqual(outcome("top"), all(true));
    assert.deepEqual([seen.get("/inner"), outcome("inner")], [true, all(true)]);
  });

  for (const where of ["on another port", "on another host"])
    it(`go with nothing that a frame ${where} asks for, and it reads none`, async () => {
      const url = where === "on another port" ? stranger.url : farStranger;
      answer(...KINDS.map(kind => `/evil-${kind}`), "/evil-self", "/evil-nested", "/evil-redirected");
      answer("/evil-shared");
      const reading = `const note = text => new Image().src = "/read?" + encodeURIComponent(text);`;
      const head = { "Content-Type": "text/html" };
      stranger.pages.set("/frame", (_request, response) =>
        response.writeHead(200, head).end(`<body><script>${reading} ${asking(site.url, "evil")}
          fetch("/to-site").then(answer => answer.text()).then(note, () => {});
          navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
        </script><iframe src="/nested"></iframe>`),
      );
      stranger.pages.set("/nested", (_request, response) =>
        response.writeHead(200, head).end(`<meta name="referrer" content="no-referrer">
          <script>location = "${site.url}/evil-nested"</script>`),
      );
      stranger.pages.set("/self", (_request, response) =>
        response.writeHead(200, head).end(`<meta name="referrer" content="no-referrer">
          <script>setTimeout(() => location = "${site.url}/evil-self")</script>`),
      );
      stranger.pages.set("/to-site", redirect(`${site.url}/evil-redirected`));
      await take(`<iframe src="${url}/frame"></iframe><iframe src="${url}/self"></iframe>`);
      const carried = [...seen].filter(([path, carries]) => carries && path !== "/page");
      assert.deepEqual(carried, []);
      assert.deepEqual(outcome("evil"), all(false), "all of it was asked for");
      for (const path of ["/evil-self", "/evil-nested", "/evil-redirected"])
        assert.equal(seen.get(path), false, path);
      assert.ok(!stranger.requested.includes("/service-worker.js"));
      assert.ok(!read.includes(SECRET));
      assert.ok(read.includes("x"), "it reads what comes without them");
    });

  it("go with no request that another site's redirect leads to, and with those of the site's own", async () => {
    const paths = ["/own-target", "/back-image", "/back-fetch", "/back-frame", "/there-and-back"];
    answer(...paths);
    site.pages.set("/own", redirect("/own-target"));
    site.pages.set("/away", redirect(`${stranger.url}/away`));
    stranger.pages.set("/away", redirect(`${site.url}/there-and-back`));
    for (const kind of ["image", "fetch", "frame"])
      stranger.pages.set(`/back-${kind}`, redirect(`${site.url}/back-${kind}`));
    await take(`<script>fetch("/own"); fetch("/away").catch(() => {});
      fetch("${stranger.url}/back-fetch").catch(() => {})</script>
      <img src="${stranger.url}/back-image"><iframe src="${stranger.url}/back-frame"></iframe>`);
    assert.deepEqual(
      paths.map(path => [path, seen.get(path)]),
      paths.map(path => [path, path === "/own-target"]),
    );
  });

  it("go with nothing of a sandboxed frame, whose documents may be anybody's", async () => {
    answer(...KINDS.map(kind => `/boxed-${kind}`));
    site.pages.set("/boxed", (_request, response) =>
      response
        .writeHead(200, { "Content-Type": "text/html" })
        .end(`<body><script>const note = () => {}; ${asking(site.url, "boxed")}</script>`),
    );
    const written = `<img src="${site.url}/boxed-written"><script>new Image().src = "${site.url}/boxed-image"</script>`;
    answer("/boxed-written");
    await take(`<iframe src="/boxed" sandbox="allow-scripts"></iframe>
      <iframe srcdoc='${written}' sandbox="allow-scripts"></iframe>`);
    const carried = [...seen].filter(([path, carries]) => carries && path !== "/page");
    assert.deepEqual(carried, []);
    assert.equal(seen.get("/boxed-cors"), false);
    assert.equal(seen.get("/boxed-written"), false);
  });

  it("go with nothing that the page asks for once it is another site's", async () => {
    answer("/left-fetch", "/left-image");
    stranger.pages.set("/left", (_request, response) =>
      response
        .writeHead(200, { "Content-Type": "text/html" })
        .end(html(`<script>fetch("${site.url}/left-fetch")</script><img src="${site.url}/left-image">`)),
    );
    await take(`<script>location = "${stranger.url}/left"</script>`);
    assert.deepEqual([seen.get("/left-fetch"), seen.get("/left-image")], [false, false]);
  });
});
