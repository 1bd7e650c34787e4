import assert from "node:assert/strict";
import { CaptureError } from "../../../shared/capture/capture-types.ts";
import { CaptureTestContext } from "../../support/contexts/capture-context.ts";
import { CARDS, html, SPIN } from "../../support/fixtures/sites/flake-pages.ts";

const REVEALED = html(`${CARDS}<script>
  const o = new IntersectionObserver(es => { for (const e of es) if (e.isIntersecting) e.target.classList.add("seen") });
  for (const card of document.querySelectorAll(".card")) o.observe(card)</script>`);

describe("pages that interfere with the capture", () => {
  let context: CaptureTestContext;

  before(async () => {
    context = await CaptureTestContext.start(
      {
        "/busy-frame": html(`<iframe src="/busy" width="300" height="200"></iframe>`),
        "/busy": html(`${SPIN}<div class="spin"></div><p aria-busy="true">for ever</p>`),
        "/moved-roots":
          html(`<div id="framed"></div><div id="stored"></div><iframe id="frame"></iframe><template id="t"></template>
          <script>for (const host of [framed, stored]) host.attachShadow({ mode: "open" }).innerHTML = "<p>in a shadow</p>";
          frame.contentDocument.body.append(framed); t.content.append(stored)</script>`),
        "/own-functions": html(
          `<p>mine</p><script>Array.prototype.flatMap = () => { throw new TypeError("not in my page") }</script>`,
        ),
        "/field": html(`<input aria-label="Name" style="font: 40px monospace">`),
        "/routed":
          html(`<h1></h1><p></p><script>const show = () => { document.querySelector("h1").textContent = location.hash;
          document.querySelector("p").textContent = innerWidth }; onhashchange = onresize = show; show()</script>`),
        "/arrived": REVEALED,
        "/leaves-later": html(
          `<p id="n">0</p><script>setInterval(() => n.textContent++, 20); setTimeout(() => location.replace("/arrived"), 1_500)</script>`,
        ),
      },
      { settleMs: 1_000 },
    );
  });
  after(() => context.stop());

  it("have a frozen frame, even when it takes all the time to become stable", async () => {
    assert.deepEqual((await context.capture("/busy-frame")).moving, []);
  });

  it("keep shadow roots that were moved to another document", async () => {
    assert.ok((await context.capture("/moved-roots")).stable);
  });

  it("fail with the reason when they break in-page scripts", async () => {
    const { code, message, retryable } = await context.failure("/own-functions");
    assert.deepEqual([code, retryable], ["script_failed", false]);
    assert.match(message, /TypeError: not in my page/);
  });

  it("show a route in the hash as on a first visit", async () => {
    const alone = await context.capture("/routed#/b");
    await context.capture("/routed#/a", { viewport: 1280, options: { hide: ["h1"] } }, "routed");
    for (let times = 0; times < 2; times++)
      assert.equal((await context.capture("/routed#/b", {}, "routed")).hash, alone.hash);
  });

  it("show the document that they navigate to later as on a direct visit", async () => {
    const captured = await context.capture("/leaves-later");
    assert.equal(captured.hash, (await context.capture("/arrived")).hash);
    assert.ok(captured.stable);
  });

  it("show the same caret every time with forced colors, which override its color", async () => {
    const request = {
      environment: { forcedColors: "active" as const },
      options: { steps: [{ action: "fill" as const, selector: "label=Name", value: "Ada" }] },
    };
    const hashes = new Set<string>();
    for (let visits = 0; visits < 6; visits++) {
      const [captured] = await context.visit("/field", request, "field");
      assert.ok(captured && !(captured instanceof CaptureError));
      hashes.add(captured.hash);
    }
    assert.equal(hashes.size, 1);
  });
});
