import assert from "node:assert/strict";
import type { CDPSession } from "playwright";
import { capture } from "../../../shared/capture/page/capture.ts";
import { CaptureTestContext } from "../../support/contexts/capture-context.ts";
import { html } from "../../support/fixtures/sites/flake-pages.ts";

/** Returns what a page wrote into its title. */
async function titleOf(context: CaptureTestContext, script: string, options = {}): Promise<string> {
  context.site.pages.set("/clock", html(`<img src="/late"><script>${script}</script>`));
  const lease = await context.pool.lease(crypto.randomUUID());
  try {
    const url = new URL("/clock", context.site.url).href;
    await capture(lease, { url, viewport: 640, baselineHash: null, options });
    return await lease.page.title();
  } finally {
    await lease.release();
  }
}

describe("clock of a captured page", () => {
  let context: CaptureTestContext;
  const log = "const told = []; const tell = word => { told.push(word); document.title = told.join(' ') };";

  before(async () => {
    context = await CaptureTestContext.start({
      "/late": (_request, response) => {
        setTimeout(() => response.writeHead(200, { "Content-Type": "image/svg+xml" }).end("<svg/>"), 100);
      },
    });
  });
  after(() => context.stop());

  it("runs timers in the order in which they are due, then in which they were set", async () => {
    const script = `${log} setTimeout(tell, 20, "c"); setTimeout(tell, 10, "a"); setTimeout(tell, 10, "b"); tell("first")`;
    assert.equal(await titleOf(context, script), "first a b c");
  });

  it("moves to exactly the moment at which a timer is due", async () => {
    const script = `${log} setTimeout(() => { tell(performance.now()); setTimeout(() => tell(performance.now()), 333) }, 250)`;
    assert.equal(await titleOf(context, script), "250 583");
  });

  it("clears timers and intervals by each other's functions, even at the same due time", async () => {
    const script = `${log} const t = setTimeout(tell, 10, "no"), i = setInterval(tell, 10, "no");
      setTimeout(() => clearTimeout(late), 20); const late = setTimeout(tell, 20, "no");
      clearInterval(t); clearTimeout(i); clearTimeout(undefined); clearTimeout(12345); tell("none")`;
    assert.equal(await titleOf(context, script), "none");
  });

  it("continues after a timer that throws, and reports the error to the page", async () => {
    const script = `${log} onerror = message => { tell(message); return true }; setTimeout(() => { throw new Error("oops") }, 5); setTimeout(tell, 6, "on")`;
    assert.equal(await titleOf(context, script), "Uncaught Error: oops on");
  });

  it("runs timers with string handlers", async () => {
    assert.equal(await titleOf(context, "setTimeout('document.title = 1 + 1', 10)"), "2");
  });

  it("runs 60 frames a second, with all callbacks of a frame at the same time", async () => {
    const script = `${log} const times = []; const next = t => { times.push(t); if (times.length < 60) requestAnimationFrame(next); else tell(times.at(-1)) };
      requestAnimationFrame(t => requestAnimationFrame(u => tell(u - t))); requestAnimationFrame(next); cancelAnimationFrame(requestAnimationFrame(() => tell("no")))`;
    assert.equal(await titleOf(context, script), "17 1000");
  });

  it("delays nested timers by 4 ms", async () => {
    const script = `${log} let n = 0; const next = () => { if (++n < 15) setTimeout(next); else tell(performance.now()) }; next()`;
    assert.equal(await titleOf(context, script), "36");
  });

  it("starts at the clock of the options, for all ways to read the time", async () => {
    const script = `${log} tell(new Date().toISOString()); tell(Date.now() - performance.timeOrigin - performance.now()); tell(new Intl.DateTimeFormat("en", { year: "numeric" }).format())`;
    const title = await titleOf(context, script, { clock: "2031-02-03T04:05:06.000Z" });
    assert.equal(title, "2031-02-03T04:05:06.000Z 0 2031");
  });

  it("advances for a script that waits for time to pass", async () => {
    const script = `const from = Date.now(); let at = from; while (at - from < 50) at = Date.now(); document.title = at - from`;
    assert.equal(await titleOf(context, script), "50");
  });

  it("runs equally long for any number of animations", async () => {
    const lived = "setInterval(() => { document.title = performance.now() }, 10);";
    const slow = "document.body.animate({ opacity: [1, 1] }, { duration: 60_000 }).onfinish";
    const chain = `${slow} = () => { ${slow} = () => { ${slow} = () => {} } }`;
    const none = await titleOf(context, lived);
    assert.ok(Number(none) > 4_000);
    assert.equal(await titleOf(context, `${lived} ${slow} = () => {}`), none);
    assert.equal(await titleOf(context, `${lived} ${chain}`), none);
  });

  it("stops the timers of a removed frame", async () => {
    const script = `${log} const f = document.createElement("iframe"); document.documentElement.append(f); let n = 0;
      f.contentWindow.setInterval(() => { if (++n === 3) { f.remove(); setTimeout(() => tell(n), 500) } }, 10)`;
    assert.equal(await titleOf(context, script), "3");
  });

  it("needs no more messages to the browser after many pages than after a few", async () => {
    context.site.pages.set("/twice-late", html('<img src="/late"><img src="/later"><p>Text</p>'));
    context.site.pages.set("/later", (_request, response) => {
      setTimeout(() => response.writeHead(200, { "Content-Type": "image/svg+xml" }).end("<svg/>"), 350);
    });
    const other = await context.pool.lease(crypto.randomUUID());
    const session: CDPSession = Object.getPrototypeOf(await other.page.context().newCDPSession(other.page));
    const { send } = session;
    let sent = 0;
    session.send = new Proxy(send, {
      apply(target, self, parameters) {
        if (parameters[0] === "Emulation.setVirtualTimePolicy") sent++;
        return Reflect.apply(target, self, parameters);
      },
    });
    // Sessions of a lease call the method as it was when the lease was opened.
    const lease = await context.pool.lease(crypto.randomUUID());
    try {
      const url = new URL("/twice-late", context.site.url).href;
      const perCapture: number[] = [];
      for (let count = 0; count < 8; count++) {
        sent = 0;
        await capture(lease, { url, viewport: 640, baselineHash: null, options: {} });
        perCapture.push(sent);
      }
      const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
      assert.ok(sum(perCapture.slice(-4)) < sum(perCapture.slice(0, 4)) * 1.3, perCapture.join(" "));
    } finally {
      session.send = send;
      await lease.release();
      await other.release();
    }
  });

  it("waits for the page of a step no longer than for others, while an endless request is open", async () => {
    const never = () => {};
    context.site.pages.set("/never", never);
    context.site.pages.set("/never-again", never);
    context.site.pages.set("/endless", html(`<script>fetch("/never")</script>`));
    context.site.pages.set(
      "/next",
      html(`<h1>next</h1><img src="/late"><script>fetch("/never-again")</script>`),
    );
    const started = performance.now();
    const [outcome] = await context.visit("/endless", {
      options: { steps: [{ action: "goto", url: "/next" }] },
    });
    assert.ok(!(outcome instanceof Error), String(outcome));
    assert.ok(performance.now() - started < 45_000);
  });

  it("forgets what the page missed before, and notes what it misses then", async () => {
    context.site.pages.set("/missing", html(`<img src="/none.png">`));
    const lease = await context.pool.lease(crypto.randomUUID());
    try {
      const url = new URL("/missing", context.site.url).href;
      await capture(lease, { url, viewport: 640, baselineHash: null, options: {} });
      const names = () => lease.network.missing.names(() => null);
      assert.deepEqual(names(), ["/none.png (404)"]);
      lease.network.missing.clear();
      assert.deepEqual(names(), []);
      const failed = lease.page.waitForEvent("requestfinished");
      await lease.page.evaluate(() => {
        new Image().src = "/other.png";
      });
      await failed;
      assert.deepEqual(names(), ["/other.png (404)"]);
    } finally {
      await lease.release();
    }
  });
});
