import assert from "node:assert/strict";
import { captureInPool } from "../../../shared/capture/capture-in-pool.ts";
import { type Capture, CaptureError } from "../../../shared/capture/capture-types.ts";
import { CaptureTestContext } from "../../support/contexts/capture-context.ts";
import { listProcesses } from "../../support/drivers/list-processes.ts";
import { until } from "../../support/drivers/until.ts";
import { Site } from "../../support/fixtures/site.ts";
import { html } from "../../support/fixtures/sites/flake-pages.ts";

const MIB = 1024 * 1024;
const PAGE_MIB = 700;
/** What a page can add between two checks, on any machine that runs the tests. */
const OVERSHOOT_MIB = 1_500;

/** Fills this many buffers of 512 MiB, one after the other, and keeps them. */
const filling = (buffers: number) => `
  const kept = [];
  for (let count = 0; count < ${buffers}; count++) {
    const bytes = new Uint8Array(512 * ${MIB});
    for (let at = 0; at < bytes.length; at += 4096) bytes[at] = 1;
    kept.push(bytes);
  }`;

const pages = {
  "/good": html("<h1>good</h1>"),
  "/slow": html('<h1>slow</h1><img src="/later.svg" width="9" height="9">'),
  "/buffers": html(`<h1>large</h1><script>${filling(9)}</script>`),
  "/worker": html(`<h1>large</h1><script>
    const source = new Blob([${JSON.stringify(filling(9))} + "postMessage(0)"]);
    new Worker(URL.createObjectURL(source)).onmessage = () => { document.body.id = "done" };
  </script>`),
};

/** Returns the memory of all child processes of this one, MiB. */
async function browserMiB(): Promise<number> {
  const processes = await listProcesses();
  const isOurs = (pid: number): boolean => {
    if (pid === process.pid) return true;
    const parent = processes.find(other => other.pid === pid)?.parent ?? 0;
    return parent > 1 && isOurs(parent);
  };
  const browsers = processes.filter(({ pid }) => pid !== process.pid && isOurs(pid));
  return browsers.reduce((sum, { residentBytes }) => sum + residentBytes, 0) / MIB;
}

describe("page that fills the memory", () => {
  let context: CaptureTestContext;
  let other: Site;
  let peakMiB: number;
  let watching: NodeJS.Timeout;

  before(async function () {
    if (process.platform !== "linux") this.skip();
    context = await CaptureTestContext.start(pages, { pageMiB: PAGE_MIB });
    other = await Site.start(pages);
    context.site.pages.set("/framed", html(`<h1>frame</h1><iframe src="${other.url}/buffers"></iframe>`));
  });
  after(async () => {
    await context?.stop();
    await other?.stop();
  });
  beforeEach(() => {
    peakMiB = 0;
    watching = setInterval(async () => {
      peakMiB = Math.max(peakMiB, await browserMiB());
    }, 100);
  });
  afterEach(() => clearInterval(watching));

  const capture = (path: string, waitForSelector?: string) => {
    const options = waitForSelector === undefined ? {} : { waitForSelector };
    const request = { url: context.site.url + path, viewport: 320, baselineHash: null, options };
    return captureInPool(context.pool, path, request, new AbortController().signal);
  };
  const isTooLarge = (outcome: Capture | CaptureError | null) => {
    assert.ok(outcome instanceof CaptureError, "it was captured");
    assert.equal(outcome.code, "too_large");
    assert.match(outcome.message, /^The page uses more than 700 MiB of memory\. /);
  };

  for (const [where, path, selector] of [
    ["its own buffers", "/buffers", undefined],
    ["those of a worker", "/worker", "#done"],
    ["those of a frame of another site", "/framed", undefined],
  ] as const)
    it(`is ended with ${where}, and its memory is free within 5 s`, async () => {
      await capture("/good");
      const idleMiB = await browserMiB();
      isTooLarge(await capture(path, selector));
      const endedAt = performance.now();
      await until(async () => (await browserMiB()) < idleMiB + 300);
      assert.ok(performance.now() - endedAt < 5_000);
      assert.ok(peakMiB < idleMiB + PAGE_MIB + OVERSHOOT_MIB, `${Math.round(peakMiB)} MiB`);
    });

  it("does not disturb other captures of its browser", async () => {
    const requested = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    context.site.pages.set("/later.svg", async (_request, response) => {
      requested.resolve();
      await release.promise;
      response
        .writeHead(200, { "Content-Type": "image/svg+xml" })
        .end("<svg xmlns='http://www.w3.org/2000/svg'/>");
    });
    const beside = await context.pool.lease("beside");
    const browser = beside.browser;
    await beside.release();
    const slow = capture("/slow");
    await requested.promise;
    isTooLarge(await capture("/buffers"));
    release.resolve();
    const captured = await slow;
    assert.ok(captured !== null && !(captured instanceof CaptureError));
    const after = await context.pool.lease("after");
    assert.equal(after.browser, browser, "the browser is the same one");
    await after.release();
  });
});
