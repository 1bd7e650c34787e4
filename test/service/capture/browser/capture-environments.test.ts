import assert from "node:assert/strict";
import sharp from "sharp";
import type { Environment } from "../../../../shared/contracts/capture/environment.ts";
import { CaptureTestContext } from "../../../support/contexts/capture-context.ts";
import { captured, colorsAt } from "../../../support/contexts/visit-outcomes.ts";
import { html } from "../../../support/fixtures/sites/flake-pages.ts";
import { Application } from "../../../support/servers/application/application.ts";

describe("environments", () => {
  let context: CaptureTestContext;
  let application: Application;
  before(async () => {
    application = await Application.start();
    context = await CaptureTestContext.start({
      "/tall": html(
        `<meta name="viewport" content="width=device-width"><div style="height:15000px;background:linear-gradient(red,blue)"></div>`,
      ),
      "/plain":
        html(`<noscript><p style="background:#2a9d8f;height:100px;margin:0"></p></noscript><img loading="lazy" src="/image" style="margin-top:3000px"><script>document.body.style.background = "#d62828"</script>
        <style>@keyframes fade { from { background: #000 } to { background: #e9c46a } } h2 { height: 50px; margin: 0; animation: fade 2s forwards }</style><h2></h2>`),
      "/image": (_request, response) =>
        response
          .writeHead(200, { "Content-Type": "image/svg+xml" })
          .end(
            '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="#264653"/></svg>',
          ),
    });
  });
  after(() => Promise.all([context.stop(), application.stop()]));

  const seenIn = async (environment: Environment, expression: string) => {
    const lease = await context.pool.lease("seen", { environment });
    await lease.release();
    const [outcome] = await context.visit(`${application.url}/`, { environment }, "seen");
    captured(outcome);
    return await lease.page.evaluate(expression);
  };

  it("emulate a device, with image pixels", async () => {
    const environment = { device: "iPhone 15" };
    const [outcome] = await context.visit("/tall", { environment, viewport: 393, height: 659 });
    const { width, height, cutFromHeight, stable } = captured(outcome);
    assert.deepEqual([width, height, cutFromHeight, stable], [1179, 45_000, null, true]);
    const metadata = await sharp(captured(outcome).png, { limitInputPixels: false }).metadata();
    assert.deepEqual([metadata.width, metadata.height], [1179, 45_000]);
    const seen = await seenIn(
      environment,
      "[devicePixelRatio, navigator.maxTouchPoints > 0, /iPhone/.test(navigator.userAgent), matchMedia('(pointer: coarse)').matches]",
    );
    assert.deepEqual(seen, [3, true, true, true]);
  });

  it("bound the image's pixels", async () => {
    const [outcome] = await context.visit("/tall", { environment: { deviceScaleFactor: 4 }, viewport: 1280 });
    const { width, height, cutFromHeight } = captured(outcome);
    assert.equal(cutFromHeight, 60_000);
    assert.ok(width === 5120 && width * height <= 3840 * 20_000 && height > 14_900);
  });

  it("set language, time zone, location, user agent and the start of the clock", async () => {
    const environment: Environment = {
      locale: "de-DE",
      timezone: "America/New_York",
      userAgent: "vrs-test",
      geolocation: { latitude: 52, longitude: 13 },
      clock: "2031-02-03T04:05:06Z",
    };
    const seen = await seenIn(
      environment,
      `[document.querySelector("h1").textContent, navigator.userAgent, new Date(2031, 1, 3).getTimezoneOffset(), document.querySelector("time").textContent]`,
    );
    assert.deepEqual(seen, ["Willkommen", "vrs-test", 300, "2031-02-03T04:05:06"]);
  });

  it("change media on a page of the same context, and back", async () => {
    const options = { clock: "2026-01-31T09:00:00Z", masks: [] };
    const visit = async (environment: Environment) =>
      captured((await context.visit(`${application.url}/`, { environment, options }, "media"))[0]);
    const light = await visit({});
    const dark = await visit({ colorScheme: "dark" });
    const print = await visit({ media: "print" });
    assert.deepEqual(await colorsAt(dark, [630, 700]), ["#111111"]);
    assert.ok(print.height < light.height, "the navigation is hidden in print");
    assert.equal((await visit({})).hash, light.hash);
    const query =
      "['forced-colors: active', 'prefers-contrast: more', 'prefers-reduced-motion: no-preference'].map(query => matchMedia('(' + query + ')').matches)";
    const all: Environment = { forcedColors: "active", contrast: "more", reducedMotion: "no-preference" };
    assert.deepEqual(await seenIn(all, query), [true, true, true]);
    assert.deepEqual(await seenIn({}, query), [false, false, false]);
  });

  it("show a page without scripts: its animations end, and lazy images load", async () => {
    const [outcome] = await context.visit("/plain", { environment: { javaScript: false } });
    const plain = captured(outcome);
    assert.ok(plain.stable);
    const { height } = plain;
    assert.deepEqual(await colorsAt(plain, [50, 50], [50, height - 25], [50, height - 100]), [
      "#2a9d8f",
      "#e9c46a",
      "#264653",
    ]);
  });

  it("turn the network off for the steps of a page", async () => {
    const steps = [
      {
        action: "waitFor" as const,
        function: "!navigator.onLine && fetch('/').then(() => false, () => true)",
      },
    ];
    const [outcome] = await context.visit(
      `${application.url}/`,
      { environment: { offline: true }, options: { steps } },
      "offline",
    );
    captured(outcome);
    const online = [{ action: "waitFor" as const, function: "navigator.onLine" }];
    captured((await context.visit(`${application.url}/`, { options: { steps: online } }, "offline"))[0]);
  });
});
