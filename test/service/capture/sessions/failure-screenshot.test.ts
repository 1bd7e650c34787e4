import assert from "node:assert/strict";
import sharp from "sharp";
import type { CaptureError, VisitRequest } from "../../../../shared/capture/capture-types.ts";
import { CaptureTestContext } from "../../../support/contexts/capture-context.ts";
import { captured, failed } from "../../../support/contexts/visit-outcomes.ts";
import { html } from "../../../support/fixtures/sites/flake-pages.ts";

const COVERED = "#8a8f98";
const GREEN = "#2a9d8f";

const at = (top: number) =>
  `style="position:absolute;left:0;top:${top}px;width:300px;height:40px;border:0;color:#2a9d8f"`;
const FORM = `<input id="password" type="password" ${at(0)}><input id="code" autocomplete="one-time-code" ${at(50)}>
  <input id="key" ${at(100)}><p id="echo" ${at(150)}></p><p ${at(200)}>public</p>
  <div style="position:absolute;top:250px;left:0;width:300px;height:40px;background:${GREEN}"></div><div style="height:3000px"></div>
  <script>document.querySelector("#key").oninput = event => { document.querySelector("#echo").textContent = "Hello " + event.target.value; };</script>`;

/** A table before the places, which are in the window: with a text, a long one, a chosen option, and an overflow. */
const LONG = `<table style="position:absolute;top:900px">${"<tr><td>cell</td></tr>".repeat(6_000)}</table>
  <p ${at(0)}>swordfish</p><pre ${at(50)}>${" ".repeat(20_000)}swordfish</pre>
  <select ${at(100)}><option>a<option selected value="2">swordfish</select><p ${at(150)}>swordfish</p><p></p>
  <div style="position:absolute;top:250px;left:0;width:300px;height:40px;background:${GREEN}"></div>`;

/** The form without styles of its elements, which the site's policy forbids. */
const POLICY = `<link rel="stylesheet" href="/policy.css">${FORM.replaceAll(/ style="[^"]*"/g, "")}`;
const POLICY_CSS = `input, p, div { position: absolute; left: 0; width: 300px; height: 40px; margin: 0; border: 0 }
  #password { top: 0 } #code { top: 50px } #key { top: 100px } #echo { top: 150px } #echo + p { top: 200px }
  div { top: 250px; background: ${GREEN} } div + div { top: 3000px }`;

/** Returns the colors at the left of the covered places, below each other. */
async function colorsOf({ screenshot }: CaptureError): Promise<string[]> {
  assert.ok(screenshot, "There is no screenshot of the failure.");
  const { data, info } = await sharp(screenshot.png)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height], [640, 800]);
  return [20, 70, 120, 170, 270].map(y => {
    const from = (y * info.width + 250) * info.channels;
    return `#${data.subarray(from, from + 3).toString("hex")}`;
  });
}

describe("screenshots of failures", () => {
  let context: CaptureTestContext;
  before(async () => {
    context = await CaptureTestContext.start(
      {
        "/form": html(FORM),
        "/frame": html(
          `<body style="margin:0"><iframe src="/form" style="border:0;width:640px;height:800px"></iframe>`,
        ),
        "/long": html(LONG),
        "/policy": (_request, response) =>
          response
            .writeHead(200, {
              "Content-Type": "text/html",
              "Content-Security-Policy": "style-src 'self'",
            })
            .end(POLICY),
        "/policy.css": (_request, response) =>
          response.writeHead(200, { "Content-Type": "text/css" }).end(POLICY_CSS),
        "/frames": html("<iframe></iframe>".repeat(60)),
        "/loops": html(`<button onclick="for (;;);">Loop</button>`),
        "/plain": html("<h1>plain</h1>"),
      },
      { busyMs: 2_000, selectorMs: 300 },
    );
  });
  after(() => context.stop());

  const steps = [
    { action: "fill", selector: "#password", value: "literal" },
    { action: "fill", selector: "#code", value: "123456" },
    { action: "fill", selector: "#key", value: `\${secret.KEY}` },
    { action: "click", selector: "#none", timeoutMs: 300 },
  ] as const;
  const secrets = { KEY: "swordfish" };
  const failure = async (path: string, request: Partial<VisitRequest>) =>
    failed((await context.visit(path, { secrets, ...request }))[0]);

  it("show the page at a failed step, without passwords, codes and secrets", async () => {
    const error = await failure("/form", { options: { steps: [...steps] } });
    assert.deepEqual(await colorsOf(error), [COVERED, COVERED, COVERED, COVERED, GREEN]);
  });

  it("cover secrets if the page's policy forbids styles of elements", async () => {
    const error = await failure("/policy", { options: { steps: [...steps] } });
    assert.deepEqual(await colorsOf(error), [COVERED, COVERED, COVERED, COVERED, GREEN]);
  });

  it("leave no cover in the states that are captured next", async () => {
    const missing = { action: "screenshot", name: "missing", element: "#none" } as const;
    const form = { action: "screenshot", name: "form" } as const;
    for (const path of ["/form", "/frame"]) {
      const [only] = await context.visit(path, { secrets, options: { steps: [form] } });
      const [failing, next] = await context.visit(path, { secrets, options: { steps: [missing, form] } });
      assert.equal(failed(failing).code, "selector_missing");
      const looks = [next, only].map(outcome => [captured(outcome).hash, captured(outcome).attempts]);
      assert.deepEqual(looks[0], looks[1], path);
    }
  });

  it("show the page of a failed login", async () => {
    const error = await failure("/plain", {
      session: { url: "/form", steps: [...steps] },
      options: { session: "editor" },
    });
    assert.equal(error.code, "session_failed");
    assert.deepEqual(await colorsOf(error), [COVERED, COVERED, COVERED, COVERED, GREEN]);
  });

  it("cover secrets in frames", async () => {
    const inFrame = steps.map(step => ({
      ...step,
      selector:
        step.action === "fill" ? `iframe >> internal:control=enter-frame >> ${step.selector}` : step.selector,
    }));
    const error = await failure("/frame", { options: { steps: inFrame } });
    assert.match(error.message, /Step 4/);
    assert.deepEqual(await colorsOf(error), [COVERED, COVERED, COVERED, COVERED, GREEN]);
  });

  it("are omitted for a page that does not respond, and for other failures", async () => {
    const loops = [{ action: "click", selector: "button" }] as const;
    assert.equal((await failure("/loops", { options: { steps: [...loops] } })).screenshot, null);
    assert.equal((await failure("/missing", {})).screenshot, null);
  });

  it("cover secrets in the window of a page that is far longer, and chosen options", async () => {
    const error = await failure("/long", {
      options: { steps: [{ action: "click", selector: "#none", timeoutMs: 300 }] },
    });
    assert.deepEqual(await colorsOf(error), [COVERED, COVERED, COVERED, COVERED, GREEN]);
  });

  it("are omitted for a page with more frames than can be covered", async () => {
    const steps = [{ action: "click", selector: "#none", timeoutMs: 300 }] as const;
    assert.equal((await failure("/frames", { options: { steps: [...steps] } })).screenshot, null);
  });
});
