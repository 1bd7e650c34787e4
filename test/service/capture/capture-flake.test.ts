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
} from "../../support/fixtures/flake-pages.ts";

/** A change to how pages are captured deserves more of them: `FLAKE_RUNS=50 mocha test/service/capture/capture-flake.test.ts`. */
const RUNS = Number(process.env.FLAKE_RUNS ?? 4);
/** Screenshots at the same time: they disturb each other's timing, as on a real renderer. */
const AT_ONCE = 2;
const PIXELS = 4;

describe("pages that flake", () => {
  let context: CaptureTestContext;

  before(async () => {
    const restless = Object.entries(UNSTABLE_PAGES).map(([path, { page }]) => [path, page]);
    const pages = {
      ...(await flakePages()),
      ...MOVING_PAGES,
      ...SHIFTY_PAGES,
      ...Object.fromEntries(restless),
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
    it(`gives ${RUNS} equal screenshots of ${path}`, async () => {
      const first = await context.take(path, {}, "a");
      const hashes = new Set([first.hash]);
      const series = async (key: string) => {
        for (let run = 1; run < RUNS; run += AT_ONCE) {
          const { hash, attempts } = await context.take(path, { baselineHash: first.hash }, key);
          hashes.add(hash);
          assert.equal(attempts, 1);
        }
      };
      await Promise.all([series("a"), series("b")]);
      assert.deepEqual([...hashes], [first.hash]);
    });
  }

  it("gives equal screenshots of boxes that scroll", async () => {
    const site = await startSite();
    const hashes = new Set<string>();
    try {
      for (let run = 0; run < 6; run++) {
        await context.take(`${site.url}/about`, { viewport: 375 }, "boxes");
        const { hash, attempts } = await context.take(`${site.url}/guide`, { viewport: 375 }, "boxes");
        hashes.add(hash);
        assert.equal(attempts, 2, "the second load looks like the first");
      }
    } finally {
      await site.close();
    }
    assert.equal(hashes.size, 1);
  });

  for (const [path, { moving }] of Object.entries(UNSTABLE_PAGES)) {
    it(`says what moves on ${path}`, async () => {
      const taken = await context.take(path);
      assert.equal(taken.stable, false);
      assert.equal(taken.attempts, 4);
      assert.equal(taken.moving[0], moving);
    });
  }

  it("says where takes differed, of a page that is stable in the end too", async () => {
    const first = await context.take("/first-differs");
    assert.deepEqual([first.stable, first.attempts, first.movingRegions], [true, 3, [SHIFTY_BOX]]);
    const { hash } = first;
    const later = await context.take("/first-differs", { baselineHash: "0".repeat(64) });
    assert.deepEqual([later.hash, later.attempts, later.movingRegions], [hash, 2, []], "a real change");
    const same = await context.take("/first-differs", { baselineHash: hash });
    assert.deepEqual([same.attempts, same.movingRegions], [1, []]);
    const unstable = await context.take("/never-the-same");
    assert.deepEqual([unstable.stable, unstable.movingRegions], [false, [SHIFTY_BOX]]);
  });

  it("says which rows and columns only some takes had", async () => {
    const { width, height, movingRegions } = await context.take("/served-width");
    const [columns] = movingRegions;
    assert.deepEqual([columns?.y, columns?.height, (columns?.x ?? 0) < width], [0, height, true]);
  });

  it("waits for a motion of scripts that comes to its end", async () => {
    const first = await context.take("/count-up");
    assert.deepEqual([first.stable, first.moving], [true, []]);
    const { hash } = await context.take("/count-up", { baselineHash: first.hash });
    assert.equal(hash, first.hash);
  });

  it("loads fonts before the load event, however early that comes", async () => {
    const early = await context.take("/scroll-on-load");
    assert.equal(early.hash, (await context.take("/scroll-on-late-load")).hash);
  });

  it("rewinds videos without waiting for a timeout", async () => {
    for (const path of ["/video-seekable", "/video-missing"]) {
      const { timings } = await context.take(path);
      assert.ok((timings.freeze ?? 0) < 2 * 900, `${path}: ${timings.freeze} ms for two loads`);
    }
  });

  it("does not wait for the rest of an answer that nobody reads", async () => {
    const { timings } = await context.take("/unread-answer");
    assert.ok((timings.settle ?? 0) < DEFAULT_LIMITS.settleMs, `${timings.settle} ms`);
  });

  it("follows a list that loads more at its end, always as far", async () => {
    for (const [path, expected] of [
      ["/endless-list", 5_051],
      ["/observed-list", 6_051],
      ["/list-polling", 6_051],
    ] as const) {
      const { height } = await context.take(path);
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
    it(`shows ${boxes} boxes of ${path}`, async () => {
      const { png, width } = await context.take(path);
      const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
      const greens = Array.from({ length: info.height }, (_, y) => {
        const at = (y * width + 20) * info.channels;
        return data.subarray(at, at + 3).toString("hex") === GREEN;
      });
      const tops = greens.filter((isGreen, y) => isGreen && !greens[y - 1]);
      assert.equal(tops.length, boxes);
    });
  }

  it("waits for what comes late", async () => {
    const arrived = await context.take("/late-fetch");
    const rest = await context.take("/late-fetch", {
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

  it("shows fixed and sticky elements once, where they are on load", async () => {
    const { png, width, height } = await context.take("/headers");
    assert.equal(height, 4090);
    const raw = await sharp(png).ensureAlpha().raw().toBuffer();
    const at = (y: number) => `#${raw.subarray(y * width * PIXELS, y * width * PIXELS + 3).toString("hex")}`;
    assert.deepEqual([at(10), at(49), at(60), at(785)], ["#d62828", "#d62828", "#264653", "#f4a261"]);
    const strong = Array.from({ length: height }, (_, y) => at(y)).filter(colour =>
      ["#d62828", "#264653", "#f4a261"].includes(colour),
    );
    assert.equal(strong.length, 50 + 40 + 30);
  });

  it("shows lazy images and revealed sections at the end of a long page", async () => {
    const { png, width, height } = await context.take("/reveal");
    const last = await sharp(png)
      .extract({ left: width - 10, top: height - 10, width: 1, height: 1 })
      .raw()
      .toBuffer();
    assert.equal(last.subarray(0, 3).toString("hex"), "2a9d8f");
    const lazy = await context.take("/lazy-images");
    const { data, info } = await sharp(lazy.png).raw().toBuffer({ resolveWithObject: true });
    const x = (lazy.height - 30) * lazy.width + 40;
    assert.equal(data.subarray(x * info.channels, x * info.channels + 3).toString("hex"), "2a9d8f");
  });
});
