import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { firefox } from "playwright";
import sharp from "sharp";
import type { BrowserPoolOptions } from "../../../../shared/capture/browser/pool-options.ts";
import type { Environment } from "../../../../shared/contracts/capture/environment.ts";
import { CaptureTestContext } from "../../../support/contexts/capture-context.ts";
import type { Page } from "../../../support/fixtures/site.ts";
import { flakePages, MOVING_PAGES } from "../../../support/fixtures/sites/flake-pages.ts";

interface Driven {
  name: string;
  environment: Environment;
  options: Partial<BrowserPoolOptions>;
  /** Whether Playwright resizes the page for a screenshot of all of it. */
  resizes: boolean;
}

const FIREFOX_PATH = process.env.FIREFOX_PATH ?? firefox.executablePath();

/** Chromium without its protocol stands for browsers that are not installed. */
const BROWSERS: Driven[] = [
  { name: "Chromium without its protocol", environment: {}, options: { isPortable: true }, resizes: true },
  ...(existsSync(FIREFOX_PATH)
    ? [
        {
          name: "Firefox",
          environment: { browser: "firefox" } as const,
          options: { firefoxPath: FIREFOX_PATH },
          resizes: false,
        },
      ]
    : []),
];

const STABLE = [
  "/web-font",
  "/lazy-images",
  "/css-animation",
  "/gif",
  "/late-fetch",
  "/frame",
  "/reveal-throttled",
  "/virtual-list",
];

for (const { name, environment, options, resizes } of BROWSERS) {
  describe(`Captures in ${name}`, () => {
    let context: CaptureTestContext;
    let hits = 0;

    before(async () => {
      const pages: Record<string, Page> = {
        ...(await flakePages()),
        ...MOVING_PAGES,
        "/clock": `<p></p><script>
          const start = Date.now();
          setTimeout(() => { document.querySelector("p").textContent = String(Date.now() - start); }, 2500);
        </script>`,
        "/stored": `<body style="margin: 0; height: 100px"><script>
          const seen = localStorage.seen || document.cookie;
          document.body.style.background = seen ? "#f00" : "#0f0";
          localStorage.seen = "1";
          document.cookie = "seen=1";
        </script>`,
        "/tall": `<body style="margin: 0"><script>
          addEventListener("resize", () => { document.body.style.background = "#f00"; });
        </script><div style="height: 100vh; background: #00f"></div><div style="height: 3000px"></div>`,
        "/private": (_request, response) => {
          hits++;
          response.end("private");
        },
        "/curious": `<p>page</p><script>
          const url = "http://127.0.0.1:" + location.port + "/private";
          for (const load of [() => fetch(url, { mode: "no-cors" }), () => { new Image().src = url; }]) load();
          navigator.sendBeacon?.(url);
        </script>`,
      };
      context = await CaptureTestContext.start(pages, {}, options);
    });
    after(() => context.stop());

    const capture = (path: string, baselineHash: string | null = null, key?: string) =>
      context.capture(path, { environment, baselineHash }, key);

    for (const path of STABLE) {
      it(`give equal screenshots at ${path}`, async () => {
        const first = await capture(path);
        assert.equal(first.stable, true);
        const second = await capture(path, first.hash);
        assert.deepEqual([second.hash, second.attempts], [first.hash, 1]);
      });
    }

    it("let timers end without waiting for them", async () => {
      const { png } = await capture("/clock");
      const { timings } = await capture("/clock", null);
      const { dominant } = await sharp(png).stats();
      assert.equal(dominant.r > 200, true);
      assert.ok((timings.settle ?? 0) < 2 * 2_500, `${timings.settle} ms for two loads`);
    });

    it("show each page without what the previous one stored", async () => {
      for (const key of ["kept", "kept", "kept"]) {
        const { png } = await capture("/stored", null, key);
        const { channels } = await sharp(png).stats();
        assert.deepEqual(
          channels.slice(0, 3).map(({ mean }) => mean),
          [0, 255, 0],
        );
      }
    });

    const showsTall = resizes ? "all of a tall page" : "all of a tall page without resizing it";
    it(`show ${showsTall}`, async () => {
      const { png, height } = await capture("/tall");
      assert.equal(height, 3_800);
      const { data } = await sharp(png).extract({ left: 5, top: 3_000, width: 1, height: 1 }).raw().toBuffer({
        resolveWithObject: true,
      });
      assert.deepEqual([...data.subarray(0, 3)], resizes ? [255, 0, 0] : [255, 255, 255]);
    });

    it("reach no address that the policy forbids", async () => {
      const { missing } = await capture("/curious");
      assert.equal(hits, 0);
      assert.equal(missing.length, 0, "the page's own host differs");
    });

    it("refuse headers, which would reach other sites", async () => {
      const failed = await context.failure("/caret", { environment, options: { headers: { "x-key": "1" } } });
      assert.equal(failed.code, "option_unsupported");
      assert.match(failed.message, /can't send the header x-key to one site only/);
    });
  });
}

describe("A browser that is not installed", () => {
  it("fails its pages with the command that installs it", async () => {
    const context = await CaptureTestContext.start(
      { "/": "<p>page</p>" },
      {},
      { firefoxPath: "/nowhere/firefox" },
    );
    try {
      const failed = await context.failure("/", { environment: { browser: "firefox" } });
      assert.equal(failed.code, "browser_missing");
      assert.match(failed.message, /FIREFOX_PATH is \/nowhere\/firefox, and there is no file/);
      assert.equal((await context.capture("/")).stable, true, "other pages are captured");
    } finally {
      await context.stop();
    }
  });
});
