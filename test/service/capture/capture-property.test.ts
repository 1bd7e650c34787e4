import assert from "node:assert/strict";
import fc from "fast-check";
import { CaptureTestContext } from "../../support/contexts/capture-context.ts";
import { flakePages, html } from "../../support/fixtures/sites/flake-pages.ts";

const color = fc.integer({ min: 0, max: 359 }).map(hue => `hsl(${hue} 70% 45%)`);
const ms = fc.integer({ min: 0, max: 4_500 });
const px = fc.integer({ min: 1, max: 400 });

/** Pieces of a page that each change with time or the network. */
const piece = fc.oneof(
  fc.tuple(px, color).map(([height, fill]) => `<div style="height:${height}px;background:${fill}">box</div>`),
  fc
    .tuple(ms, px, fc.constantFrom("infinite", "1", "2.5"))
    .map(
      ([duration, width, times], at = Math.trunc(duration + width)) =>
        `<style>@keyframes k${at}{to{transform:translateX(${width}px) rotate(30deg)}}</style><b style="display:inline-block;animation:k${at} ${duration}ms ${times} alternate both">moves</b>`,
    ),
  ms.map(
    delay =>
      `<script>setTimeout(()=>document.body.insertAdjacentHTML("beforeend","<p>after ${delay}</p>"),${delay})</script>`,
  ),
  fc
    .tuple(px, fc.nat(1e6))
    .map(
      ([top, key]) =>
        `<div style="height:${top * 5}px"></div><img loading="lazy" width="80" height="60" src="/late.svg?${key}">`,
    ),
  px.map(
    size =>
      `<style>@font-face{font-family:Late;src:url(/late.woff2);font-display:swap}</style><p style="font:${8 + (size % 60)}px Late,serif">Late letters</p>`,
  ),
  fc
    .tuple(ms, color)
    .map(
      ([duration, fill]) =>
        `<i style="display:block;height:20px;width:10px;background:${fill};transition:width ${duration}ms"></i><script>{const i=document.currentScript.previousElementSibling;requestAnimationFrame(()=>requestAnimationFrame(()=>i.style.width="70%"))}</script>`,
    ),
  px.map(
    height =>
      `<section style="height:${height}px;opacity:0;transition:opacity 1s;background:#2a9d8f"></section><script>{const s=document.currentScript.previousElementSibling;new IntersectionObserver(([e])=>{if(e.isIntersecting)s.style.opacity=1}).observe(s)}</script>`,
  ),
);

describe("captures of a generated page", () => {
  let context: CaptureTestContext;

  before(async () => {
    context = await CaptureTestContext.start(await flakePages());
  });
  after(() => context.stop());

  it("are equal byte for byte", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 12 }), async pieces => {
        context.site.pages.set("/made", html(pieces.join("")));
        const first = await context.capture("/made", {}, "made");
        const again = await context.capture("/made", { baselineHash: first.hash });
        assert.deepEqual(
          [again.hash, again.attempts, first.stable],
          [first.hash, 1, true],
          pieces.join("\n"),
        );
      }),
      { numRuns: Number(process.env.FLAKE_RUNS ?? 8) },
    );
  });
});
