import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { BrowserPool } from "../../../shared/capture/browser/browser-pool.ts";
import { captureVisit } from "../../../shared/capture/capture-in-pool.ts";
import { addressPolicy } from "../../../shared/capture/network/address-guard.ts";
import { capture } from "../../../shared/capture/page/capture.ts";
import { poolOptions } from "../../support/contexts/capture-context.ts";
import { captured } from "../../support/contexts/visit-outcomes.ts";
import { Site } from "../../support/fixtures/site.ts";
import { html } from "../../support/fixtures/sites/flake-pages.ts";

const SECRET = "Bearer for the site only";
const CORS = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" };
const worker = (source: string) => `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(source)}])))`;

/** Everything that a document can request from a site. The paths begin with `name`. */
const requestsTo = (site: string, name: string) => `
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
  let otherSite: Site;
  /** The same site at an address that the browser puts into another process. */
  let remoteUrl: string;
  /** The requests that arrived, and whether they had the headers. */
  const seen = new Map<string, boolean>();
  /** What a document of the other site could read. */
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
    [site, otherSite] = await Promise.all([Site.start(), Site.start()]);
    remoteUrl = otherSite.url.replace("localhost", "127.0.0.1");
    const policy = addressPolicy(["localhost", "127.0.0.1"]);
    pool = new BrowserPool(poolOptions({ policy }));
    otherSite.pages.set("/read", (request, response) => {
      read.push(decodeURIComponent(new URL(request.url ?? "", "http://x").search.slice(1)));
      response.end();
    });
  });
  after(() => Promise.all([pool?.close(), site?.stop(), otherSite?.stop()]));
  beforeEach(() => {
    seen.clear();
    read.length = 0;
  });

  const capturePage = async (body: string) => {
    site.pages.set("/", (request, response) => note(request, response, "text/html", html(body)));
    // Requests with the headers get a document, so that the page continues.
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
  const servePages = (...paths: string[]) => {
    for (const path of paths)
      site.pages.set(path, (request, response) =>
        path.endsWith("-script") ? note(request, response, "text/javascript", "0") : note(request, response),
      );
  };
  const outcome = (name: string) =>
    Object.fromEntries(KINDS.map(kind => [kind, seen.get(`/${name}-${kind}`)]));
  const all = (carries: boolean) => Object.fromEntries(KINDS.map(kind => [kind, carries]));

  it("are sent with requests of the page, its workers and its own frames to its origin", async () => {
    servePages(
      ...KINDS.flatMap(kind => [`/top-${kind}`, `/inner-${kind}`]),
      "/inner-worker.js",
      "/from-worker",
    );
    site.pages.set("/inner", (request, response) => {
      const body = `<body><script>const note = () => {}; ${requestsTo(site.url, "inner")}</script>`;
      seen.set("/inner", request.headers.authorization === SECRET);
      response.writeHead(200, { "Content-Type": "text/html" }).end(body);
    });
    await capturePage(
      `<script>const note = () => {}; ${requestsTo(site.url, "top")}</script><iframe src="/inner"></iframe>`,
    );
    assert.deepEqual(outcome("top"), all(true));
    assert.deepEqual([seen.get("/inner"), outcome("inner")], [true, all(true)]);
  });

  for (const where of ["on another port", "on another host"])
    it(`are not sent for a frame ${where}, which can't read them`, async () => {
      const url = where === "on another port" ? otherSite.url : remoteUrl;
      servePages(...KINDS.map(kind => `/evil-${kind}`), "/evil-self", "/evil-nested", "/evil-redirected");
      servePages("/evil-shared");
      const reading = `const note = text => new Image().src = "/read?" + encodeURIComponent(text);`;
      const head = { "Content-Type": "text/html" };
      otherSite.pages.set("/frame", (_request, response) =>
        response.writeHead(200, head).end(`<body><script>${reading} ${requestsTo(site.url, "evil")}
          fetch("/to-site").then(answer => answer.text()).then(note, () => {});
          navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
        </script><iframe src="/nested"></iframe>`),
      );
      otherSite.pages.set("/nested", (_request, response) =>
        response.writeHead(200, head).end(`<meta name="referrer" content="no-referrer">
          <script>location = "${site.url}/evil-nested"</script>`),
      );
      otherSite.pages.set("/self", (_request, response) =>
        response.writeHead(200, head).end(`<meta name="referrer" content="no-referrer">
          <script>setTimeout(() => location = "${site.url}/evil-self")</script>`),
      );
      otherSite.pages.set("/to-site", redirect(`${site.url}/evil-redirected`));
      await capturePage(`<iframe src="${url}/frame"></iframe><iframe src="${url}/self"></iframe>`);
      const carried = [...seen].filter(([path, carries]) => carries && path !== "/page");
      assert.deepEqual(carried, []);
      assert.deepEqual(outcome("evil"), all(false), "all of it was asked for");
      for (const path of ["/evil-self", "/evil-nested", "/evil-redirected"])
        assert.equal(seen.get(path), false, path);
      assert.ok(!otherSite.requested.includes("/service-worker.js"));
      assert.ok(!read.includes(SECRET));
      assert.ok(read.includes("x"), "it reads what comes without them");
    });

  it("are sent after the site's own redirects, but not after another site's", async () => {
    const paths = ["/own-target", "/back-image", "/back-fetch", "/back-frame", "/there-and-back"];
    servePages(...paths);
    site.pages.set("/own", redirect("/own-target"));
    site.pages.set("/away", redirect(`${otherSite.url}/away`));
    otherSite.pages.set("/away", redirect(`${site.url}/there-and-back`));
    for (const kind of ["image", "fetch", "frame"])
      otherSite.pages.set(`/back-${kind}`, redirect(`${site.url}/back-${kind}`));
    await capturePage(`<script>fetch("/own"); fetch("/away").catch(() => {});
      fetch("${otherSite.url}/back-fetch").catch(() => {})</script>
      <img src="${otherSite.url}/back-image"><iframe src="${otherSite.url}/back-frame"></iframe>`);
    assert.deepEqual(
      paths.map(path => [path, seen.get(path)]),
      paths.map(path => [path, path === "/own-target"]),
    );
  });

  it("are sent to the site, but not to another site on which its session logs in", async () => {
    servePages("/landing", "/page");
    let wasSent = false;
    otherSite.pages.set("/login", (request, response) => {
      wasSent = request.headers.authorization !== undefined;
      response.writeHead(200, { "Content-Type": "text/html" }).end(html("<h1>Log in</h1>"));
    });
    const session = {
      url: `${otherSite.url}/login`,
      steps: [{ action: "goto" as const, url: `${site.url}/landing` }],
    };
    const request = {
      ...{ url: `${site.url}/page`, viewport: 640, states: [{ state: null, baselineHash: null }], session },
      options: { headers: { Authorization: SECRET }, session: "editor" },
    };
    captured((await captureVisit(pool, crypto.randomUUID(), request, new AbortController().signal))?.[0]);
    assert.deepEqual([wasSent, seen.get("/landing"), seen.get("/page")], [false, true, true]);
  });

  it("are not sent for a sandboxed frame, whose documents have no known origin", async () => {
    servePages(...KINDS.map(kind => `/boxed-${kind}`));
    site.pages.set("/boxed", (_request, response) =>
      response
        .writeHead(200, { "Content-Type": "text/html" })
        .end(`<body><script>const note = () => {}; ${requestsTo(site.url, "boxed")}</script>`),
    );
    const written = `<img src="${site.url}/boxed-written"><script>new Image().src = "${site.url}/boxed-image"</script>`;
    servePages("/boxed-written");
    await capturePage(`<iframe src="/boxed" sandbox="allow-scripts"></iframe>
      <iframe srcdoc='${written}' sandbox="allow-scripts"></iframe>`);
    const carried = [...seen].filter(([path, carries]) => carries && path !== "/page");
    assert.deepEqual(carried, []);
    assert.equal(seen.get("/boxed-cors"), false);
    assert.equal(seen.get("/boxed-written"), false);
  });

  it("are not sent after the page navigates to another site", async () => {
    servePages("/left-fetch", "/left-image");
    otherSite.pages.set("/left", (_request, response) =>
      response
        .writeHead(200, { "Content-Type": "text/html" })
        .end(html(`<script>fetch("${site.url}/left-fetch")</script><img src="${site.url}/left-image">`)),
    );
    await capturePage(`<script>location = "${otherSite.url}/left"</script>`);
    assert.deepEqual([seen.get("/left-fetch"), seen.get("/left-image")], [false, false]);
  });
});
