import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findBrowser } from "../../../../shared/capture/browser/browser-binary.ts";
import { BrowserPool } from "../../../../shared/capture/browser/browser-pool.ts";
import type { Lease } from "../../../../shared/capture/browser/lease.ts";
import { CaptureError } from "../../../../shared/capture/capture-types.ts";
import { capture } from "../../../../shared/capture/page/capture.ts";
import { poolOptions } from "../../../support/contexts/capture-context.ts";
import { until } from "../../../support/drivers/until.ts";
import { Site } from "../../../support/fixtures/site.ts";
import { html } from "../../../support/fixtures/sites/flake-pages.ts";

describe("browser pool", () => {
  let site: Site;
  let pool: BrowserPool;

  before(async () => {
    const visits = `${html("<h1></h1>")}<script>
      const h = document.querySelector("h1"); const n = s => s.n = Number(s.n ?? 0) + 1;
      h.textContent = [n(localStorage), n(sessionStorage), document.cookie].join(" "); document.cookie = "seen=yes"</script>`;
    site = await Site.start({ "/": html("<h1>page</h1>"), "/visits": visits, "/never": () => {} });
  });
  after(() => site.stop());
  beforeEach(() => {
    pool = new BrowserPool(poolOptions({ limits: { pagesPerBrowser: 3, navigationMs: 60_000 } }));
  });
  afterEach(() => pool.close());

  const take = (lease: Lease, path = "/", viewport = 320) =>
    capture(lease, { url: site.url + path, viewport, baselineHash: null, options: {} });

  it("keeps a key's context warm for that key only", async () => {
    const first = await pool.lease("a");
    await first.release();
    const other = await pool.lease("b");
    const again = await pool.lease("a");
    assert.equal(again, first);
    assert.notEqual(other, first);
    assert.equal(other.browser, first.browser);
    const second = await pool.lease("a");
    assert.notEqual(second, again);
  });

  it("shows no page the data of the previous page", async () => {
    const lease = await pool.lease("a");
    const first = await take(lease, "/visits");
    await lease.release();
    const warm = await pool.lease("a");
    assert.equal(warm, lease);
    assert.equal((await take(warm, "/visits")).hash, first.hash);
  });

  it("shows no page the data that frames, or events for leaving and resizing, store", async () => {
    const counts = html(`<script>const n = s => s.n = Number(s.n ?? 0) + 1;
      parent.postMessage([n(localStorage), n(sessionStorage)].join(" "), "*")</script>`);
    const other = await Site.start({ "/counts": counts, "/gone": counts.replace(", n(sessionStorage)", "") });
    const frames = (path: string, then: string) =>
      html(`<h1 id="said">nothing</h1><iframe id="frame" src="${other.url}${path}" width="99" height="99"></iframe>
        <script>onmessage = ({ data }) => { said.textContent = data; ${then} }</script>`);
    const leavingPage = (listen: string) =>
      html(`<h1>${listen}</h1><script>document.body.append(localStorage.left ?? "never", window.name);
        const note = () => { localStorage.left = "before"; window.name = "before" }; ${listen}</script>`);
    const pages = {
      "/frame": frames("/counts", ""),
      "/gone": frames("/gone", "frame.remove()"),
      "/hides": leavingPage(`addEventListener("pagehide", note)`),
      "/leaves": leavingPage(`onpagehide = note`),
      "/changes": leavingPage(`document.addEventListener("visibilitychange", note)`),
      "/resizes": leavingPage(`addEventListener("resize", note)`),
    };
    for (const [path, page] of Object.entries(pages)) site.pages.set(path, page);
    try {
      for (const path of Object.keys(pages)) {
        const lease = await pool.lease(path);
        const first = await take(lease, path);
        await take(lease, path, 640);
        assert.equal((await take(lease, path)).hash, first.hash, path);
        await lease.release();
      }
    } finally {
      await other.stop();
    }
  });

  it("shows every page a desktop with a mouse, light colors, reduced motion, English and UTC", async () => {
    const { page } = await pool.lease("a");
    const queries = ["(hover)", "(any-hover)", "(pointer: fine)", "(prefers-color-scheme: light)"];
    const seen = await page.evaluate(
      queries => ({
        unmatched: queries.filter(query => !matchMedia(query).matches),
        language: navigator.language,
        zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      }),
      [...queries, "(prefers-reduced-motion)"],
    );
    assert.deepEqual(seen, { unmatched: [], language: "en-US", zone: "UTC" });
  });

  it("retires a browser after its pages, while another lease finishes in it", async () => {
    const [busy, other] = [await pool.lease("a"), await pool.lease("b")];
    for (let page = 0; page < 3; page++) await take(other);
    await other.release();
    const next = await pool.lease("b");
    assert.notEqual(next.browser, busy.browser);
    await Promise.all([take(busy), take(next)]);
    await busy.release();
    assert.equal(busy.browser.connected, false);
    assert.equal(next.browser.connected, true);
  });

  it("closes a retired browser when a warm context of it closes last", async () => {
    const [busy, warm] = [await pool.lease("a"), await pool.lease("b")];
    const discard = warm.discard.bind(warm);
    warm.discard = () => delay(300).then(discard);
    await warm.release();
    for (let page = 0; page < 3; page++) await take(busy);
    await busy.release();
    await until(() => !busy.browser.connected);
  });

  it("fails as retryable when the browser disconnects, and starts another", async () => {
    const lease = await pool.lease("a");
    lease.page.once("request", () => lease.browser.kill());
    await assert.rejects(take(lease, "/never"), (error: unknown) => {
      assert.ok(error instanceof CaptureError);
      assert.deepEqual([error.code, error.retryable], ["browser_lost", true]);
      return true;
    });
    await lease.release();
    const next = await pool.lease("a");
    assert.ok((await take(next)).stable);
    await next.release();
  });

  it("gives a page a separate browser, which closes with its lease", async () => {
    const lease = await pool.lease("a");
    const alone = await pool.lease("a", { alone: true });
    assert.notEqual(alone.browser, lease.browser);
    assert.equal((await pool.lease("a")).browser, lease.browser, "others do not get it");
    const lost = assert.rejects(take(alone, "/never"), { code: "browser_lost" });
    alone.page.once("request", () => alone.browser.kill());
    await lost;
    assert.ok((await take(lease)).stable);
    await alone.release();
    const again = await pool.lease("a", { alone: true });
    assert.ok((await take(again)).stable);
    await again.release();
    assert.equal(again.browser.connected, false);
    assert.equal(lease.browser.connected, true);
  });

  it("kills a browser that hangs during a page, and captures the next page in another", async () => {
    const hasty = new BrowserPool(poolOptions({ limits: { captureMs: 10_000, navigationMs: 60_000 } }));
    try {
      const [lease, beside] = [await hasty.lease("a"), await hasty.lease("b")];
      const pid = await processOf(lease);
      lease.page.once("request", () => process.kill(pid, "SIGSTOP"));
      await assert.rejects(take(lease, "/never"), { code: "timeout" });
      await lease.release();
      const next = await hasty.lease("a");
      assert.notEqual(next.browser, lease.browser);
      assert.ok((await take(next)).stable);
      await assert.rejects(take(beside), { code: "browser_lost" });
      await beside.release();
    } finally {
      await hasty.close();
    }
  });

  it("waits for a browser that hangs until a timeout, and kills it", async () => {
    const hasty = new BrowserPool(poolOptions({ limits: { openMs: 10_000 } }));
    try {
      const first = await hasty.lease("a");
      process.kill(await processOf(first), "SIGSTOP");
      const ended = new AbortController();
      const aborted = assert.rejects(hasty.lease("c", { signal: ended.signal }), { name: "AbortError" });
      ended.abort();
      await aborted;
      await assert.rejects(hasty.lease("b"), { code: "browser_lost", retryable: true });
      const next = await hasty.lease("b");
      assert.notEqual(next.browser, first.browser);
      assert.ok((await take(next)).stable);
    } finally {
      await hasty.close();
    }
  });

  it("explains what to do when the browser does not start", async () => {
    const broken = new BrowserPool(poolOptions({ chromiumPath: "/bin/false" }));
    await assert.rejects(broken.lease("a"), /CHROMIUM_PATH is \/bin\/false, which does not start/);
    await broken.close();
  });

  it("runs without Chromium's sandbox where the system forbids it, and warns once", async () => {
    const warnings: string[] = [];
    const program = await sandboxlessChromium();
    const options = poolOptions({ chromiumPath: program.path, limits: { pagesPerBrowser: 1 } });
    const forbidden = new BrowserPool({ ...options, warn: message => warnings.push(message) });
    try {
      for (let browser = 0; browser < 2; browser++) {
        const lease = await forbidden.lease("a");
        assert.ok((await take(lease)).stable);
        await lease.release();
      }
      assert.equal(warnings.length, 1);
      assert.match(warnings.join(), /Chromium can't start its sandbox and runs without it/);
    } finally {
      await forbidden.close();
      await program.remove();
    }
  });

  it("leases no context after it is closed, and leaves no browser running", async () => {
    const lease = await pool.lease("a");
    await pool.close();
    assert.equal(lease.browser.connected, false);
    await assert.rejects(pool.lease("a"), /shutting down/);
  });
});

/** Returns the id of the browser's own process. */
async function processOf({ browser }: Lease): Promise<number> {
  const session = await browser.browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const own = processInfo.find(({ type }) => type === "browser");
  assert.ok(own);
  return own.id;
}

/** Returns a Chromium as on a machine without user namespaces: it ends with this output unless the sandbox is off. */
async function sandboxlessChromium(): Promise<{ path: string; remove: () => Promise<void> }> {
  const { executablePath, env } = await findBrowser(poolOptions());
  const folder = await mkdtemp(join(tmpdir(), "vrs-sandboxless-"));
  const path = join(folder, "chromium");
  const settings = Object.entries(env).map(([name, value]) => `export ${name}='${value}'`);
  const script = `#!/bin/sh
${settings.join("\n")}
case " $* " in *" --version "* | *" --no-sandbox "*) exec '${executablePath}' "$@" ;; esac
echo "[FATAL:../content/browser/zygote_host/zygote_host_impl_linux.cc:129] No usable sandbox!" >&2
exit 1
`;
  await writeFile(path, script, { mode: 0o755 });
  return { path, remove: () => rm(folder, { recursive: true }) };
}
