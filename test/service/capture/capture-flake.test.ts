import assert from "node:assert/strict";
import sharp from "sharp";
import { startSite } from "../../../cli/demo/site-server.ts";
import { DEFAULT_LIMITS } from "../../../shared/capture/capture-limits.ts";
import { CaptureTestContext } from "../../support/contexts/capture-context.ts";
import {
  flakePages,
  MOVING_PAGES,
  SHIFTY_BOX,
  SHIFTY_PAGES,
  UNSTABLE_PAGES,
} from "../../support/fixtures/sites/flake-pages.ts";

/** After a change to the capture, use more: `FLAKE_RUNS=50 mocha test/service/capture/capture-flake.test.ts`. */
const RUNS = Number(process.env.FLAKE_RUNS ?? 4);
/** Concurrent screenshots disturb each other's timing, as on a real renderer. */
const CONCURRENCY = 2;
const PIXELS = 4;

describe("flaky pages", () => {
  let context: CaptureTestContext;

  before(async () => {
    const unstable = Object.entries(UNSTABLE_PAGES).map(([path, { page }]) => [path, page]);
    const pages = {
      ...(await flakePages()),
      ...MOVING_PAGES,
      ...SHIFTY_PAGES,
      ...Object.fromEntries(unstable),
    };
    context = await CaptureTestContext.start(pages);
  });
  after(() => context.stop());

  const stable = [
    "/web-font",
    "/scroll-on-load",
    "/lazy-images",
    "/css-animation",
    "/transition",
    "/caret",
    "/gif",
    "/video",
    "/video-poster",
    "/video-seekable",
    "/video-missing",
    "/late-fetch",
    "/busy",
    "/headers",
    "/shadow-dom",
    "/frame",
    "/reveal",
    "/reveal-throttled",
    "/reveal-inset",
    "/late-lazy",
    "/scroll-driven",
    "/endless-list",
    "/observed-list",
    "/virtual-list",
    "/entrance",
    "/fractions",
    ...Object.keys(MOVING_PAGES).filter(path => path !== "/events"),
  ];
  for (const path of stable) {
    it(`give ${RUNS} equal screenshots at ${path}`, async () => {
      const first = await context.capture(path, {}, "a");
      const hashes = new Set([first.hash]);
      const series = async (key: string) => {
        for (let run = 1; run < RUNS; run += CONCURRENCY) {
          const { hash, attempts } = await context.capture(path, { baselineHash: first.hash }, key);
          hashes.add(hash);
          assert.equal(attempts, 1);
        }
      };
      await Promise.all([series("a"), series("b")]);
      assert.deepEqual([...hashes], [first.hash]);
    });
  }

  it("give equal screenshots of scrollable boxes", async () => {
    const site = await startSite();
    const hashes = new Set<string>();
    try {
      for (let run = 0; run < 6; run++) {
        await context.capture(`${site.url}/about`, { viewport: 375 }, "boxes");
        const { hash, attempts } = await context.capture(`${site.url}/guide`, { viewport: 375 }, "boxes");
        hashes.add(hash);
        assert.equal(attempts, 2, "the second load looks like the first");
      }
    } finally {
      await site.close();
    }
    assert.equal(hashes.size, 1);
  });

  for (const [path, { moving }] of Object.entries(UNSTABLE_PAGES)) {
    it(`name what moves at ${path}`, async () => {
      const captured = await context.capture(path);
      assert.equal(captured.stable, false);
      assert.equal(captured.attempts, 4);
      assert.equal(captured.moving[0], moving);
    });
  }

  it("report where attempts differed, even for a page that becomes stable", async () => {
    const first = await context.capture("/first-differs");
    assert.deepEqual([first.stable, first.attempts, first.movingRegions], [true, 3, [SHIFTY_BOX]]);
    const { hash } = first;
    const later = await context.capture("/first-differs", { baselineHash: "0".repeat(64) });
    assert.deepEqual([later.hash, later.attempts, later.movingRegions], [hash, 2, []], "a real change");
    const same = await context.capture("/first-differs", { baselineHash: hash });
    assert.deepEqual([same.attempts, same.movingRegions], [1, []]);
    const unstable = await context.capture("/never-the-same");
    assert.deepEqual([unstable.stable, unstable.movingRegions], [false, [SHIFTY_BOX]]);
  });

  it("report rows and columns that only some attempts have", async () => {
    const { width, height, movingRegions } = await context.capture("/served-width");
    const [columns] = movingRegions;
    assert.deepEqual([columns?.y, columns?.height, (columns?.x ?? 0) < width], [0, height, true]);
  });

  it("show the end of motion by scripts", async () => {
    const first = await context.capture("/count-up");
    assert.deepEqual([first.stable, first.moving], [true, []]);
    const { hash } = await context.capture("/count-up", { baselineHash: first.hash });
    assert.equal(hash, first.hash);
  });

  it("load fonts before an early load event", async () => {
    const early = await context.capture("/scroll-on-load");
    assert.equal(early.hash, (await context.capture("/scroll-on-late-load")).hash);
  });

  it("rewind videos without waiting for a timeout", async () => {
    for (const path of ["/video-seekable", "/video-missing"]) {
      const { timings } = await context.capture(path);
      assert.ok((timings.freeze ?? 0) < 2 * 900, `${path}: ${timings.freeze} ms for two loads`);
    }
  });

  it("do not wait for the rest of a response that no script reads", async () => {
    const { timings } = await context.capture("/unread-answer");
    assert.ok((timings.settle ?? 0) < DEFAULT_LIMITS.settleMs, `${timings.settle} ms`);
  });

  it("follow an endless list to the same length in each load", async () => {
    for (const [path, expected] of [
      ["/endless-list", 5_051],
      ["/observed-list", 6_051],
      ["/list-polling", 6_051],
    ] as const) {
      const { height } = await context.capture(path);
      assert.equal(height, expected, path);
    }
  });

  const GREEN = "2a9d8f";
  const BOXES = {
    "/reveal-throttled": 12,
    "/reveal-inset": 12,
    "/reveal-polling": 12,
    "/late-lazy": 1,
    "/scroll-driven": 12,
    // 14 rows in the window, and two below it.
    "/virtual-list": 16,
  };
  for (const [path, boxes] of Object.entries(BOXES)) {
    it(`show ${boxes} boxes at ${path}`, async () => {
      const { png, width } = await context.capture(path);
      const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
      const greens = Array.from({ length: info.height }, (_, y) => {
        const at = (y * width + 20) * info.channels;
        return data.subarray(at, at + 3).toString("hex") === GREEN;
      });
      const tops = greens.filter((isGreen, y) => isGreen && !greens[y - 1]);
      assert.equal(tops.length, boxes);
    });
  }

  it("show late content", async () => {
    const arrived = await context.capture("/late-fetch");
    const rest = await context.capture("/late-fetch", {
      options: {
        network: [
          {
            url: "**/late.json",
            action: "fulfil",
            status: 200,
            contentType: "application/json",
            body: '{"text":"arrived"}',
          },
        ],
      },
    });
    assert.equal(arrived.hash, rest.hash);
  });

  it("show fixed and sticky elements once, at their position on load", async () => {
    const { png, width, height } = await context.capture("/headers");
    assert.equal(height, 4090);
    const raw = await sharp(png).ensureAlpha().raw().toBuffer();
    const at = (y: number) => `#${raw.subarray(y * width * PIXELS, y * width * PIXELS + 3).toString("hex")}`;
    assert.deepEqual([at(10), at(49), at(60), at(785)], ["#d62828", "#d62828", "#264653", "#f4a261"]);
    const strong = Array.from({ length: height }, (_, y) => at(y)).filter(color =>
      ["#d62828", "#264653", "#f4a261"].includes(color),
    );
    assert.equal(strong.length, 50 + 40 + 30);
  });

  it("show lazy images and revealed sections at the end of a long page", async () => {
    const { png, width, height } = await context.capture("/reveal");
    const last = await sharp(png)
      .extract({ left: width - 10, top: height - 10, width: 1, height: 1 })
      .raw()
      .toBuffer();
    assert.equal(last.subarray(0, 3).toString("hex"), "2a9d8f");
    const lazy = await context.capture("/lazy-images");
    const { data, info } = await sharp(lazy.png).raw().toBuffer({ resolveWithObject: true });
    const x = (lazy.height - 30) * lazy.width + 40;
    assert.equal(data.subarray(x * info.channels, x * info.channels + 3).toString("hex"), "2a9d8f");
  });
});
