import assert from "node:assert/strict";
import { type Capsule, readCapsule } from "../../../shared/capture/capsule/capsule.ts";
import { addressPolicy } from "../../../shared/capture/network/address-guard.ts";
import { explain } from "../../../shared/explain/explain.ts";
import { CaptureTestContext } from "../../support/contexts/capture-context.ts";
import { type Page, Site } from "../../support/fixtures/site.ts";

const CSS =
  ":root{--accent:#2563eb} .card{padding:12px} .buy{background:var(--accent)} .side{float:left;width:200px}";
const PAGE = `<!doctype html><link rel="stylesheet" href="/app.css?token=abcdefghij0123456789"><body>
  <h1>Shop</h1><div class="side">Side</div><div class="card">One <button class="buy">Buy</button></div>
  <div class="card">Two <button class="buy">Buy</button></div><script src="/app.js"></script>`;

describe("capsules of screenshots", () => {
  let context: CaptureTestContext;
  let other: Site;
  /** What the site serves. */
  const served = { page: PAGE, css: CSS, js: "", status: 200 };
  before(async () => {
    other = await Site.start({ "/": "<p class=framed>In a frame</p>" });
    const pages: Record<string, Page> = {
      "/": (_request, response) => response.writeHead(200, { "Content-Type": "text/html" }).end(served.page),
      "/app.css": (_request, response) =>
        response.writeHead(served.status, { "Content-Type": "text/css" }).end(served.css),
      "/app.js": (_request, response) =>
        response.writeHead(200, { "Content-Type": "text/javascript" }).end(served.js),
      "/secrets": `<input value="typed-value"><input type="password" value="hunter22"><textarea>typed-text</textarea>
        <p id="masked">masked-text</p><p>my-secret-value</p><a href="/x?token=abcdefghij0123456789">a</a>`,
      "/parts": `<iframe src="${other.url.replace("localhost", "127.0.0.1")}"></iframe><iframe srcdoc="<p>inner</p>"></iframe><div id="host"></div>
        <script>host.attachShadow({ mode: "closed" }).innerHTML = "<p>closed</p>"</script>`,
      "/many": `<body><script>
        const all = document.createDocumentFragment();
        for (let n = 0; n < 125000; n++) all.append(document.createElement("i"));
        document.body.append(all);</script>`,
      "/texts": `<p>${"word ".repeat(60)}the end</p><p>${"long".repeat(90)}tail</p>`,
      "/long": `<body>x<script>document.body.setAttribute("title", "x".repeat(3e7))</script>`,
    };
    const policy = addressPolicy(["localhost", "127.0.0.1"]);
    context = await CaptureTestContext.start(pages, {}, { policy });
  });
  after(async () => {
    await context.stop();
    await other.stop();
  });

  async function read(path = "/"): Promise<Capsule> {
    const { capsule } = await context.capture(path, { capsules: "all" }, "capsules");
    assert.ok(capsule, "There is a capsule.");
    return await readCapsule(capsule);
  }

  async function textsAfter(change: Partial<typeof served>): Promise<string[]> {
    Object.assign(served, { page: PAGE, css: CSS, js: "", status: 200 });
    const before = await read();
    Object.assign(served, change);
    const after = await read();
    return explain(before, after, []).causes.map(({ text }) => text);
  }

  it("are made for screenshots that differ from their baselines, and only on request", async () => {
    const { hash, capsule } = await context.capture("/parts", { capsules: "changed" }, "capsules");
    assert.ok(capsule);
    const same = await context.capture("/parts", { capsules: "changed", baselineHash: hash }, "capsules");
    assert.equal(same.hash, hash);
    assert.equal(same.capsule, undefined);
    assert.equal((await context.capture("/parts", {}, "capsules")).capsule, undefined);
  });

  it("hold the hashes of responses, with tokens masked", async () => {
    const { responses, sheets } = await read();
    const sheet = responses.find(({ type }) => type === "stylesheet");
    assert.match(sheet?.url ?? "", /\/app\.css\?token=•••$/);
    assert.match(sheet?.hash ?? "", /^[0-9a-f]{16}$/);
    assert.deepEqual(responses.map(({ type }) => type).sort(), ["document", "script", "stylesheet"]);
    assert.equal(sheets[0]?.text, CSS);
  });

  it("hold the start and the end of long texts", async () => {
    const { strings } = await read("/texts");
    assert.ok(strings.some(text => text.startsWith("word word") && text.endsWith(" the end")));
    // Half of a word could be half of a URL.
    assert.ok(strings.some(text => text.startsWith("longlong") && text.endsWith("…")));
  });

  it("hold frames of other sites and closed shadow roots", async () => {
    const { strings } = await read("/parts");
    for (const text of ["In a frame", "inner", "closed"]) assert.ok(strings.includes(text), text);
  });

  it("hold no form values, secrets or masked texts", async () => {
    const { capsule } = await context.capture("/secrets", {
      capsules: "all",
      secrets: { KEY: "my-secret-value" },
      options: { masks: ["#masked"] },
    });
    const text = JSON.stringify(await readCapsule(capsule ?? Buffer.alloc(0)));
    for (const hidden of ["typed-value", "hunter22", "typed-text", "masked-text", "my-secret", "abcdefghij"])
      assert.equal(text.includes(hidden), false, hidden);
  });

  it("stay readable with secrets that numbers and hashes contain by chance", async () => {
    const secrets = { DIGIT: "1", HEX: "a", WORD: "Shop", TYPE: "document", QUOTE: '"' };
    const { capsule } = await context.capture("/", { capsules: "all", secrets }, "capsules");
    const [shown, hidden] = [await read(), await readCapsule(capsule ?? Buffer.alloc(0))];
    assert.deepEqual(hidden.nodes, shown.nodes);
    const hashes = ({ responses }: Capsule) => responses.map(({ type, hash }) => `${type} ${hash}`);
    assert.deepEqual(hashes(hidden), hashes(shown));
    assert.equal(JSON.stringify([hidden.strings, hidden.sheets]).includes("Shop"), false);
  });

  it("have no layout for pages that are too large", async () => {
    for (const path of ["/many", "/long"]) {
      const capsule = await read(path);
      assert.deepEqual([capsule.isCut, capsule.nodes.tag.length, capsule.responses.length], [true, 0, 1]);
    }
  });

  it("explain a changed rule, a changed custom property and a changed size", async () => {
    const by = "by `app.css` (changed)";
    assert.deepEqual(await textsAfter({ css: CSS.replace("12px", "16px") }), [
      `\`.card\` padding 12px → 16px, 2 elements, ${by}`,
    ]);
    assert.deepEqual(await textsAfter({ css: CSS.replace("#2563eb", "#1d4ed8") }), [
      "`.buy` background-color #2563eb → #1d4ed8, 2 elements, by `--accent` in `app.css` (changed)",
    ]);
    assert.deepEqual(await textsAfter({ css: CSS.replace("200px", "260px") }), [
      `\`.side\` width 200px → 260px, ${by}`,
    ]);
  });

  it("explain a stylesheet that is blocked by that alone", async () => {
    assert.deepEqual(await textsAfter({ status: 503 }), ["`app.css` failed to load (503)"]);
  });

  it("explain elements that the page's HTML or a script adds", async () => {
    const banner = `<div id="banner">Sale</div>`;
    assert.deepEqual(await textsAfter({ page: PAGE.replace("<h1>", `${banner}<h1>`) }), [
      "`#banner` was added, by the page's HTML (changed)",
    ]);
    assert.deepEqual(
      await textsAfter({ js: `document.body.insertAdjacentHTML("afterbegin", '${banner}')` }),
      ["`#banner` was added, by `app.js` (changed)"],
    );
  });

  it("name the source of a changed rule, by the stylesheet's source map", async () => {
    Object.assign(served, { page: PAGE, css: CSS, js: "", status: 200 });
    // One line for `.card`, from line 12 of the source.
    const mappings = "AAWA";
    const map = JSON.stringify({ version: 3, sources: ["webpack:///./src/card.css"], names: [], mappings });
    const sheet = (px: number, comment: string) =>
      `.card{padding:${px}px}\n/*# sourceMappingURL=${comment} */`;
    const inline = `data:application/json;base64,${Buffer.from(map).toString("base64")}`;
    context.site.pages.set("/app.css.map", (_request, response) => response.writeHead(200).end(map));
    const textAfter = async (comment: string) => {
      served.css = sheet(12, comment);
      const before = await context.capture("/", { capsules: "all" }, "capsules");
      served.css = sheet(16, comment);
      const packed = before.capsule ?? assert.fail("There is no capsule.");
      const options = { capsules: "all", baselineCapsule: async () => packed } as const;
      const after = await context.capture("/", options, "capsules");
      assert.ok(after.capsule);
      return explain(await readCapsule(packed), await readCapsule(after.capsule), []).causes[0]?.text;
    };
    const mapped = "`.card` padding 12px → 16px, 2 elements, by `src/card.css:12` (changed)";
    assert.equal(await textAfter("app.css.map"), mapped);
    assert.equal(await textAfter(inline), mapped);
    const plain = "`.card` padding 12px → 16px, 2 elements, by `app.css` (changed)";
    for (const broken of [
      "missing.map",
      "data:application/json,{",
      "http://10.0.0.1/app.css.map",
      "data:text/css,x",
    ])
      assert.equal(await textAfter(broken), plain, broken);
  });
});
