import assert from "node:assert/strict";
import { CaptureTestContext } from "../../support/contexts/capture-context.ts";
import { flakePages, html } from "../../support/fixtures/sites/flake-pages.ts";

/** Records every event that a capture could cause. */
const WATCHING = `<style>@media (max-width: 600px) { body { background: #f4a261 } }</style>
  <main id="main" style="height:3000px">Watching</main><input>
  <script>window.seen = [];
  const note = event => seen.push(event.type);
  for (const type of ["resize", "focus", "blur", "pageshow", "pagehide", "beforeunload", "orientationchange"]) addEventListener(type, note);
  for (const type of ["visibilitychange", "focusin", "focusout", "fullscreenchange", "selectionchange", "pointermove", "keydown"]) document.addEventListener(type, note);
  visualViewport.addEventListener("resize", note);
  for (const query of ["(max-width: 600px)", "(max-height: 700px)", "(prefers-color-scheme: dark)", "(orientation: portrait)", "print"])
    matchMedia(query).addEventListener("change", note);
  let sizes = 0; new ResizeObserver(() => { if (++sizes > 1) seen.push("size") }).observe(main);
  new MutationObserver(() => seen.push("mutation")).observe(document.body, { attributes: true, childList: true, subtree: true });
  new PerformanceObserver(list => { for (const e of list.getEntries()) seen.push(e.entryType) }).observe({ type: "layout-shift" });
  /*SCROLL*/</script>`;
const SCROLLING = WATCHING.replace(
  "/*SCROLL*/",
  `addEventListener("scroll", () => seen.push("scroll " + scrollY));`,
);

const LIVING = `<script>window.seen = []; setInterval(() => { seen[0] = performance.now() }, 10)</script>`;
// A video of the document itself would delay the load event, and with it the page's life, by chance.
const VIDEO = `${LIVING}<script>onload = () => {
    const video = document.createElement("video");
    document.body.append(video);
    Object.assign(video, { onpause: () => seen.push("pause"), muted: true, loop: true, autoplay: true, src: "/seekable.webm" });
  }</script>`;

describe("events that a page observes during its capture", () => {
  let context: CaptureTestContext;

  before(async () => {
    context = await CaptureTestContext.start({
      ...(await flakePages()),
      "/watching": html(WATCHING),
      "/scrolling": html(SCROLLING),
      "/living": html(LIVING),
      "/screen": html(
        `<script>window.seen = [screen.width + " x " + screen.height, matchMedia("(device-width: 1280px)").matches]</script>`,
      ),
      "/with-video": html(VIDEO),
    });
  });
  after(() => context.stop());

  /** Returns what the page recorded in its last load. */
  const seenBy = async (path: string): Promise<unknown[]> => {
    await context.capture(path, { viewport: 1280 }, path);
    const lease = await context.pool.lease(path);
    try {
      return await lease.page.evaluate(() => Reflect.get(window, "seen"));
    } finally {
      await lease.release();
    }
  };

  it("have a screen of the viewport's size, also after a screenshot", async () => {
    const expected = ["1280 x 800", true];
    assert.deepEqual(await seenBy("/screen"), expected);
    assert.deepEqual(await seenBy("/screen"), expected);
  });

  it("are none on a page that does not react to scrolling", async () => {
    assert.deepEqual(await seenBy("/watching"), ["pageshow"]);
  });

  it("are those of scrolling down and back on a page that listens to scrolling", async () => {
    const scrolls = [480, 960, 1440, 1920, 2221, 0].map(top => `scroll ${top}`);
    assert.deepEqual(await seenBy("/scrolling"), ["pageshow", ...scrolls]);
  });

  it("include neither stopped videos nor the time of rewinding them", async () => {
    assert.deepEqual(await seenBy("/with-video"), await seenBy("/living"));
  });
});
