import assert from "node:assert/strict";
import type {
  FindReplacement,
  Replacement,
} from "../../../shared/capture/network/rules/replace-responses.ts";
import { capture } from "../../../shared/capture/page/capture.ts";
import type { NetworkRule } from "../../../shared/contracts/capture/network-rule.ts";
import { CaptureTestContext } from "../../support/contexts/capture-context.ts";
import { html } from "../../support/fixtures/sites/flake-pages.ts";

const SETTLE_MS = 1_000;
const NAVIGATION_MS = 2_000;
/** Reports results in the page's title. */
const LOG = "const told = []; const tell = word => { told.push(word); document.title = told.join(' ') };";

describe("network rules of a page", () => {
  let context: CaptureTestContext;
  const answer = (_request: unknown, response: { end(text: string): void }) => response.end("x");
  before(async () => {
    context = await CaptureTestContext.start(
      {
        "/plain": html("<p>plain</p><script>document.title = 'plain'</script>"),
        "/image": html(`<img src="/slow.png" alt="">`),
        "/asks": html(
          `<script>${LOG} for (const method of ["GET", "POST"])
          fetch("/api", { method }).then(() => tell(method), () => tell("no-" + method))</script>`,
        ),
        "/kinds": html(
          `<script>${LOG}</script><script src="/api?script" onload="tell('script')" onerror="tell('no-script')"></script>
          <script>fetch("/api?fetch").then(() => tell("fetch"), () => tell("no-fetch"))</script>`,
        ),
        "/moment": html(
          `<script>${LOG} addEventListener("load", () => setTimeout(() =>
          fetch("/api").then(() => tell(performance.now())), 50))</script>`,
        ),
        "/order": html(
          `<script>${LOG} for (const name of ["a", "b"]) fetch("/" + name).then(() => tell(name))</script>`,
        ),
        "/leaves": html(`<script>fetch("/api").catch(() => {}); location.href = "/plain"</script>`),
        "/api": answer,
        "/a": answer,
        "/b": answer,
      },
      { settleMs: SETTLE_MS, navigationMs: NAVIGATION_MS },
    );
  });
  after(() => context.stop());

  /** Captures a page. Returns its title, and its missing resources. */
  async function captured(path: string, network: NetworkRule[]) {
    const lease = await context.pool.lease(crypto.randomUUID());
    try {
      const url = new URL(path, context.site.url).href;
      const { missing } = await capture(lease, {
        url,
        viewport: 640,
        baselineHash: null,
        options: { network },
      });
      return { title: await lease.page.title(), missing };
    } finally {
      await lease.release();
    }
  }

  const late = (url: string, delayMs: number): NetworkRule => ({ url, action: "delay", delayMs });

  it("fail the page when they block its document", async () => {
    const network: NetworkRule[] = [{ url: "**", action: "block", resourceTypes: ["document"] }];
    const { code, message } = await context.failure("/plain", { options: { network } });
    assert.equal(code, "unreachable");
    assert.match(message, /\/plain is blocked by a rule in options\.network\. Make the rule narrower\./);
  });

  it("fail the page when its document or what it loads is delayed beyond the time limit", async () => {
    const failureOf = (path: string, url: string) =>
      context.failure(path, { options: { network: [late(url, NAVIGATION_MS + 1_000)] } });
    const document = await failureOf("/plain", "**/plain");
    assert.deepEqual(
      [document.code, /\/plain did not respond within 2 seconds/.test(document.message)],
      ["timeout", true],
    );
    const image = await failureOf("/image", "**/slow.png");
    assert.deepEqual([image.code, /still waits for .*\/slow\.png/.test(image.message)], ["timeout", true]);
  });

  it("fail the page when they name a file that was not read", async () => {
    const network: NetworkRule[] = [{ url: "**/api", action: "fulfil", status: 200, file: "api.json" }];
    const { code, message } = await context.failure("/asks", { options: { network } });
    assert.equal(code, "file_missing");
    const har: NetworkRule[] = [{ url: "**/api", action: "har", file: "api.har", notFound: "abort" }];
    const refused = await context.failure("/plain", { options: { network: har } });
    assert.equal(refused.code, "file_missing");
    assert.match(refused.message, /needs the HAR file api\.har\. Only the command line reads HAR files/);
    assert.match(message, /rule for \*\*\/api needs the file api\.json\. Only the command line/);
  });

  it("apply to the given methods only", async () => {
    const { title } = await captured("/asks", [{ url: "**/api", action: "block", methods: ["POST", "PUT"] }]);
    assert.deepEqual(title.split(" ").sort(), ["GET", "no-POST"]);
  });

  it("apply to the given resource types only", async () => {
    const block = (resourceTypes: ("script" | "fetch")[]): NetworkRule[] => [
      { url: "**/api?*", action: "block", resourceTypes },
    ];
    const titles = [block(["script"]), block(["fetch"])].map(async network =>
      (await captured("/kinds", network)).title.split(" ").sort(),
    );
    assert.deepEqual(await Promise.all(titles), [
      ["fetch", "no-script"],
      ["no-fetch", "script"],
    ]);
  });

  it("apply in their order, and those that don't fit are skipped", async () => {
    const get: NetworkRule = { url: "**/api", action: "block", methods: ["GET"] };
    const { title } = await captured("/asks", [
      { ...get, resourceTypes: ["image"] },
      late("**/api", 50),
      get,
    ]);
    assert.deepEqual(title.split(" ").sort(), ["GET", "POST"]);
    const swapped = await captured("/asks", [get, late("**/api", 50)]);
    assert.deepEqual(swapped.title.split(" ").sort(), ["POST", "no-GET"]);
  });

  it("respond with the content of a file", async () => {
    const content = Buffer.from(`<title>from a file</title>`);
    const request = {
      options: { network: [{ url: "**/plain", action: "fulfil", status: 200, file: "a.html" } as const] },
      files: new Map([["a.html", { content, contentType: "text/html" }]]),
    };
    const lease = await context.pool.lease(crypto.randomUUID());
    try {
      const url = new URL("/plain", context.site.url).href;
      await capture(lease, { url, viewport: 640, baselineHash: null, ...request });
      assert.equal(await lease.page.title(), "from a file");
    } finally {
      await lease.release();
    }
  });

  it("deliver delayed responses at the same moment of the page's life as others", async () => {
    const { title } = await captured("/moment", []);
    assert.match(title, /^\d+$/);
    for (const delayMs of [1, 300, SETTLE_MS + 1_500])
      assert.deepEqual(await captured("/moment", [late("**/api", delayMs)]), { title, missing: [] });
  });

  it("deliver delayed responses after those that were requested later", async () => {
    assert.equal((await captured("/order", [late("**/a", 300)])).title, "b a");
    assert.equal((await captured("/order", [late("**/b", 300)])).title, "a b");
  });

  it("don't wait for a delayed request of a page that left", async () => {
    const started = performance.now();
    const { title } = await captured("/leaves", [late("**/api", 30_000)]);
    assert.equal(title, "plain");
    assert.ok(performance.now() - started < 15_000);
  });

  it("let a request fail whose replacement fails, and send it if the replacement has another protocol", async () => {
    const replacedBy = async (replace: FindReplacement) => {
      const [outcome] = await context.visit("/scripted", { replace });
      assert.ok(outcome && !(outcome instanceof Error), String(outcome));
      return outcome.missing;
    };
    context.site.pages.set("/scripted", html(`<script src="/app.js"></script><p>scripted`));
    context.site.pages.set("/app.js", (_request, response) => void response.end("1"));
    const script = (replacement: () => Replacement): FindReplacement => {
      return ({ url }) => (url.endsWith("/app.js") ? replacement() : null);
    };
    assert.deepEqual(await replacedBy(script(() => ({ kind: "url", url: "https://localhost/app.js" }))), []);
    const fails = () => {
      throw new Error("no replacement");
    };
    assert.deepEqual(await replacedBy(script(fails)), ["/app.js (ERR_FAILED)"]);
  });
});
