import assert from "node:assert/strict";
import type { Capsule } from "../../../shared/capture/capsule/capsule.ts";
import { explain } from "../../../shared/explain/explain.ts";
import { capsuleOf, type TestElement, withSheet } from "../../support/fixtures/sites/capsule-pages.ts";

const card = (text: string, y: number, style: TestElement["style"] = {}): TestElement => ({
  ...{ attributes: { class: "card" }, text, box: [0, y, 400, 40] as const, style },
});
const textsOf = (before: Capsule, after: Capsule, regions: Parameters<typeof explain>[2] = []) =>
  explain(before, after, regions).causes.map(({ text }) => text);

describe("explanation of a changed screenshot", () => {
  it("names the rule, the property and the stylesheet of equal elements once", () => {
    const padding = (px: string) =>
      Object.fromEntries(["top", "right", "bottom", "left"].map(side => [`padding-${side}`, px]));
    const page = (px: string, hash: string) =>
      capsuleOf(
        [card("One", 0, padding(px)), card("Two", 50, padding(px))],
        withSheet(`.card { padding: ${px} } .other { color: red }`, hash),
      );
    const { causes } = explain(page("12px", "a"), page("16px", "b"), []);
    assert.deepEqual(causes, [
      {
        kind: "style",
        key: causes[0]?.key,
        text: "`.card` padding 12px → 16px, 2 elements, by `app.css` (changed)",
        selector: ".card",
        elements: 2,
        property: "padding",
        before: "12px",
        after: "16px",
        file: { url: "https://shop.example/app.css", change: "changed" },
        rule: ".card",
      },
    ]);
  });

  it("names the custom property that a rule uses", () => {
    const page = (hex: string, color: string, hash: string) =>
      capsuleOf(
        [card("One", 0, { "background-color": color })],
        withSheet(`:root { --accent: ${hex} } .card { background: var(--accent) }`, hash),
      );
    const texts = textsOf(page("#2563eb", "rgb(37, 99, 235)", "a"), page("#1d4ed8", "rgb(29, 78, 216)", "b"));
    assert.deepEqual(texts, [
      "`.card` background-color #2563eb → #1d4ed8, by `--accent` in `app.css` (changed)",
    ]);
  });

  it("blames no stylesheet whose earlier content is unknown", () => {
    const page = (color: string, more: Partial<Capsule>) => capsuleOf([card("One", 0, { color })], more);
    const read = withSheet(".card { color: red }", "a");
    const responses = (read.responses ?? []).map(response => ({ ...response, hash: null }));
    const texts = textsOf(page("rgb(0, 0, 0)", { responses }), page("rgb(255, 0, 0)", read));
    assert.deepEqual(texts, ["`.card` color #000000 → #ff0000"]);
  });

  it("names a custom property that another stylesheet uses, through others", () => {
    const page = (hex: string, color: string, hash: string) => {
      const [tokens, app] = ["tokens", "app"].map(name => `https://shop.example/${name}.css`);
      const sheets = [
        { url: tokens ?? "", text: `:root { --blue: ${hex}; --blues: red }` },
        {
          url: app ?? "",
          text: ".card { --own: var( --blue ); background: var(--own) } .x { color: var(--blues) }",
        },
      ];
      const responses = sheets.map(({ url }) => ({
        url,
        type: "stylesheet",
        status: 200,
        hash: url === app ? "a" : hash,
      }));
      return capsuleOf([card("One", 0, { "background-color": color })], { sheets, responses });
    };
    const texts = textsOf(page("#2563eb", "rgb(37, 99, 235)", "a"), page("#1d4ed8", "rgb(29, 78, 216)", "b"));
    assert.deepEqual(texts, [
      "`.card` background-color #2563eb → #1d4ed8, by `--blue` in `tokens.css` (changed)",
    ]);
  });

  it("says an inherited property for the element that sets it", () => {
    const page = (color: string) =>
      capsuleOf([
        { attributes: { id: "box" }, style: { color }, children: [card("One", 0), card("Two", 50)] },
      ]);
    assert.deepEqual(textsOf(page("rgb(0, 0, 0)"), page("rgb(255, 0, 0)")), [
      "`#box` color #000000 → #ff0000",
    ]);
  });

  it("says lengths that follow from a font size once", () => {
    const page = (px: number) =>
      capsuleOf([
        {
          attributes: { id: "box" },
          style: { "font-size": `${px}px`, "padding-top": `${px / 2}px` },
          children: [{ tag: "p", text: "x", style: { "margin-top": `${px}px` } }],
        },
      ]);
    assert.deepEqual(textsOf(page(16), page(20)), ["`#box` font-size 16px → 20px"]);
  });

  it("separates an added element from what it moved", () => {
    const banner: TestElement = { attributes: { id: "banner" }, text: "Sale", box: [0, 0, 1000, 24] };
    const page = (y: number, first: TestElement[]) =>
      capsuleOf([...first, card("One", y), card("Two", y + 50)]);
    const { causes, effects } = explain(page(0, []), page(24, [banner]), []);
    assert.deepEqual(
      causes.map(({ kind, text }) => [kind, text]),
      [["added", "`#banner` was added"]],
    );
    assert.deepEqual(effects, ["2 elements moved 24 px down, because `#banner` was added"]);
  });

  describe("the key of a cause", () => {
    const keysOf = (before: TestElement[], after: TestElement[], facts: Partial<Capsule> = {}) =>
      explain(capsuleOf(before, facts), capsuleOf(after, facts), []).causes.map(({ key }) => key);
    const box = (color: string, text = "Sale", more: Partial<TestElement> = {}): TestElement => ({
      ...{ attributes: { class: "box" }, box: [0, 0, 100, 80] },
      ...{ children: [{ tag: "p", text, style: { "background-color": color } }] },
      ...more,
    });
    const red = "rgb(255, 0, 0)";
    const other = [box("rgb(0, 0, 255)"), box(red, "Sold out")];

    it("tells added, removed, shown and hidden elements with other colors or texts apart", () => {
      const hidden = (shown: TestElement) => [
        { ...shown, box: null, children: (shown.children ?? []).map(child => ({ ...child, box: null })) },
      ];
      for (const keyOf of [
        (shown: TestElement) => keysOf([], [shown]),
        (shown: TestElement) => keysOf([shown], []),
        (shown: TestElement) => keysOf(hidden(shown), [shown]),
        (shown: TestElement) => keysOf([shown], hidden(shown)),
      ]) {
        const keys = keyOf(box(red));
        assert.equal(keys.length, 1);
        for (const another of other) assert.notDeepEqual(keyOf(another), keys);
      }
    });

    it("is the same at other widths, of more elements and on other hosts", () => {
      const image = (host: string): TestElement => ({
        tag: "img",
        attributes: { src: `https://${host}/a.png` },
      });
      const added = (host: string, width: number, count: number) => {
        const element = { ...box(red), box: [0, 0, width, 80] as const, children: [image(host)] };
        return keysOf([], Array<TestElement>(count).fill({ ...element, box: [...element.box] }), {
          url: `https://${host}/`,
        });
      };
      assert.deepEqual(added("one.example", 100, 2), added("two.example", 300, 3));
    });

    it("tells other texts of several elements apart", () => {
      const cards = (texts: string[]) => texts.map((text, index) => card(text, index * 50));
      const keyOf = (...texts: string[]) => keysOf(cards(["One", "Two"]), cards(texts));
      assert.deepEqual(keyOf("Three", "Four"), keyOf("Three", "Four"));
      assert.notDeepEqual(keyOf("Three", "Four"), keyOf("Three", "Five"));
    });
  });

  it("blames no change that keeps its box for what moved", () => {
    const page = (color: string, height: number) =>
      capsuleOf(
        [
          { ...card("One", 0, { color }), box: [0, 0, 400, 40] },
          {
            tag: "p",
            attributes: { id: "text" },
            text: height > 20 ? "longer" : "short",
            box: [0, 50, 400, height],
          },
          { tag: "p", text: "End", box: [0, 50 + height, 400, 20] },
        ],
        withSheet(`:root { --ink: ${color} } .card { color: var(--ink) }`, color),
      );
    const { effects } = explain(page("rgb(0, 0, 0)", 20), page("rgb(9, 9, 9)", 40), []);
    assert.deepEqual(effects, ["1 element moved 20 px down, because `#text` changed"]);
  });

  it("shows a changed text, and the removed and the reordered elements", () => {
    const before = capsuleOf([
      card("One", 0),
      card("Two", 50),
      { tag: "p", text: "Old", attributes: { class: "note" } },
    ]);
    const after = capsuleOf([card("Two", 0), card("One", 50)]);
    const kinds = explain(before, after, []).causes.map(({ kind }) => kind);
    assert.deepEqual(kinds.sort(), ["removed", "reordered"]);
    assert.deepEqual(textsOf(capsuleOf([card("Ready", 0)]), capsuleOf([card("Done", 0)])), [
      "`.card` text “Ready” → “Done”",
    ]);
  });

  it("finds which of several equal parts changed", () => {
    const list = (texts: string[], y: number): TestElement => ({
      attributes: { class: "list" },
      box: [0, y, 400, 100],
      children: texts.map((text, n) => card(text, y + n * 50)),
    });
    const before = capsuleOf([list(["a", "b"], 0), { tag: "p", text: "then" }, list(["a", "b"], 200)]);
    const after = capsuleOf([list(["a"], 0), { tag: "p", text: "then" }, list(["a", "b"], 200)]);
    assert.deepEqual(textsOf(before, after), ["`.card` was removed"]);
  });

  it("puts lengths that a script may have computed after other causes", () => {
    const page = (px: number, notes: TestElement[]) => {
      const main = {
        attributes: { id: "main", style: `padding-top: ${px}px` },
        box: [0, 20, 900, 900] as const,
      };
      return capsuleOf([...notes, { ...main, box: [...main.box], style: { "padding-top": `${px}px` } }]);
    };
    const note: TestElement = { tag: "p", attributes: { id: "note" }, text: "Note", box: [0, 0, 100, 20] };
    const region = { x: 0, y: 0, width: 900, height: 900 };
    assert.deepEqual(textsOf(page(40, [note]), page(60, []), [region]), [
      "`#note` was removed",
      "`#main` padding-top 40px → 60px",
    ]);
  });

  it("shows colors as stylesheets have them, and long texts where they differ", () => {
    const page = (color: string, text: string) => capsuleOf([card(text, 0, { color })]);
    const start = "The quick brown fox jumps over the lazy dog, and then it rests";
    const before = page("color(srgb 0.145098 0.388235 0.921569)", `${start} for one hour.`);
    const after = page("rgba(29, 78, 216, 0.5)", `${start} for two hours.`);
    assert.deepEqual(textsOf(before, after).sort(), [
      "`.card` color #2563eb → #1d4ed880",
      "`.card` text “…then it rests for one hour.” → “…then it rests for two hours.”",
    ]);
  });

  it("shows images of the page's own host by their path", () => {
    const page = (host: string, src: string) =>
      capsuleOf([{ tag: "img", attributes: { class: "hero", src } }], { url: `http://${host}/shop` });
    const textOf = (from: string, to: string) =>
      textsOf(page("localhost:4000", from), page("localhost:4001", to)).join();
    assert.equal(
      textOf("http://localhost:4000/img/sum%20mer.png", "http://localhost:4001/img/winter.png?v=2"),
      "`.hero` image `/img/sum mer.png` → `/img/winter.png?v=2`",
    );
    assert.equal(
      textOf("/img/summer.png", "https://cdn.example/winter.png"),
      "`.hero` image `/img/summer.png` → `cdn.example/winter.png`",
    );
    assert.equal(textOf("/a.png", "data:image/svg+xml,<svg/>"), "`.hero` image `/a.png` → an inline image");
    assert.equal(textOf("", "/a.png"), "`.hero` got the image `/a.png`");
    const url = "https://shop.example/img/hero.png";
    const own = (hash: string) =>
      capsuleOf([{ tag: "img", attributes: { class: "hero", src: url } }], {
        responses: [{ url, type: "image", status: 200, hash }],
      });
    assert.deepEqual(textsOf(own("a"), own("b")), ["`.hero` shows another image, by `hero.png` (changed)"]);
  });

  it("leaves out changes that no changed pixel is near to", () => {
    const page = (first: string, second: string) =>
      capsuleOf([card(first, 0), { ...card(second, 500), tag: "p" }]);
    const [before, after] = [page("a", "b"), page("c", "d")];
    const region = { x: 0, y: 505, width: 20, height: 10 };
    assert.deepEqual(textsOf(before, after, [region]), ["`.card` text “b” → “d”"]);
  });

  it("puts a stylesheet that failed first, without the changes that it caused", () => {
    const url = "https://shop.example/app.css";
    const before = capsuleOf(
      [card("One", 0, { color: "rgb(255, 0, 0)" })],
      withSheet(".card { color: red }", "a"),
    );
    const failed = [{ url, type: "stylesheet", status: 404, error: null }];
    const after = capsuleOf([card("Two", 0)], { failed });
    assert.deepEqual(textsOf(before, after), [
      "`app.css` failed to load (404)",
      "`.card` text “One” → “Two”",
    ]);
  });

  it("says that the browser, the viewport or a font changed", () => {
    const fonts = (status: string) => [{ family: '"Inter"', status }];
    const before = capsuleOf([card("One", 0)], { fonts: fonts("loaded") });
    const after = capsuleOf([card("One", 0)], {
      ...{ fonts: fonts("error"), browser: "chromium 141", viewport: { width: 600, height: 800 } },
    });
    assert.deepEqual(textsOf(before, after), [
      "The viewport changed from 1000 × 800 px to 600 × 800 px",
      "The browser changed from chromium 140 to chromium 141",
      "The font `Inter` did not load, so another font replaces it",
    ]);
  });

  it("blames a script for elements of an unchanged document", () => {
    const responses = (hash: string) => [
      { url: "https://shop.example/", type: "document", status: 200, hash: "same" },
      { url: "https://cdn.example/chat.js", type: "script", status: 200, hash },
    ];
    const before = capsuleOf([card("One", 0)], { responses: responses("a") });
    const after = capsuleOf([card("One", 0), { attributes: { id: "chat" } }], { responses: responses("b") });
    assert.deepEqual(textsOf(before, after), ["`#chat` was added, by `cdn.example/chat.js` (changed)"]);
  });

  it("gives the same cause the same key on another page and deployment", () => {
    const keyOf = (host: string, name: string) => {
      const page = (color: string, hash: string) => {
        const url = `https://${host}/app.${hash}.css`;
        return capsuleOf([card(name, 0, { color })], {
          url: `https://${host}/${name}`,
          responses: [{ url, type: "stylesheet", status: 200, hash }],
          sheets: [{ url, text: `.card { color: ${color} }` }],
        });
      };
      return explain(page("rgb(1, 1, 1)", "a1b2c3d4"), page("rgb(2, 2, 2)", "d4c3b2a1"), []).causes[0];
    };
    const [first, second] = [keyOf("one.example", "cart"), keyOf("two.example", "home")];
    assert.equal(first?.file?.change, "changed");
    assert.notEqual(first?.file?.url, second?.file?.url);
    assert.equal(first?.key, second?.key);
  });

  it("gives equal changes of the HTML of different pages one key", () => {
    const keyAt = (url: string) => {
      const page = (text: string, hash: string) =>
        capsuleOf([card(text, 0)], { url, responses: [{ url, type: "document", status: 200, hash }] });
      const [cause] = explain(page("Old", "a"), page("New", "b"), []).causes;
      assert.match(cause?.text ?? "", /by the page's HTML \(changed\)$/);
      return cause?.key;
    };
    assert.equal(keyAt("https://shop.example/"), keyAt("https://shop.example/cart"));
  });

  it("lists lost names and contrast below AA separately", () => {
    const button = (text: string): TestElement => ({
      tag: "button",
      attributes: { id: "buy" },
      ...(text && { text }),
    });
    const note = (color: string): TestElement => ({
      tag: "p",
      text: "note",
      attributes: { class: "note" },
      style: { color },
    });
    const { accessibility } = explain(
      capsuleOf([button("Buy"), note("rgb(0, 0, 0)")]),
      capsuleOf([button(""), note("rgb(187, 187, 187)")]),
      [],
    );
    assert.deepEqual(
      accessibility.map(({ text }) => text),
      ["`#buy` (button) lost its name", "`.note` contrast 21.00:1 → 1.92:1, below AA"],
    );
  });

  it("names elements by the texts that aria-labelledby refers to, whatever their ids", () => {
    const input = (id: string): TestElement => ({
      tag: "input",
      attributes: { class: "email", "aria-labelledby": `${id} ${id}-hint`, placeholder: id },
    });
    const field = (id: string, text: string): TestElement[] => [
      { tag: "span", attributes: { id }, text },
      { tag: "em", attributes: { id: `${id}-hint` }, text: "required" },
      input(id),
    ];
    const changesOf = (before: TestElement[], after: TestElement[]) =>
      explain(capsuleOf(before), capsuleOf(after), []).accessibility.map(({ text }) => text);
    assert.deepEqual(changesOf(field(":r1:", "Email"), field(":r2:", "Email")), []);
    assert.deepEqual(changesOf(field(":r1:", "Email"), field(":r2:", "Phone")), [
      "`.email` name “Email required” → “Phone required”",
    ]);
    // The texts of both are unknown.
    assert.deepEqual(changesOf([input(":r1:")], [input(":r2:")]), []);
    assert.deepEqual(changesOf(field(":r1:", "Email"), [input(":r2:")]), []);
  });

  it("takes about five times as long for five times the elements", () => {
    const rows = (count: number, color: string): TestElement[] =>
      Array.from({ length: count }, (_, n) => ({
        tag: "tr",
        attributes: { class: "row" },
        box: [0, n * 20, 800, 20],
        children: ["name", "price", "stock"].map(name => ({
          ...{ tag: "td", attributes: { class: name }, text: `${name} ${n}` },
          ...(name === "price" && { style: { color } }),
        })),
      }));
    const pageOf = (count: number, color: string, hash: string) =>
      capsuleOf(rows(count, color), withSheet(`.price { color: ${color} }`, hash));
    const explainRows = (count: number) => {
      const [before, after] = [pageOf(count, "rgb(1, 1, 1)", "a"), pageOf(count, "rgb(2, 2, 2)", "b")];
      return () => explain(before, after, []);
    };
    const [some, many] = [explainRows(500), explainRows(2_500)];
    const cause = "`.price` color #010101 → #020202, 2500 elements, by `app.css` (changed)";
    assert.equal(many().causes[0]?.text, cause);
    const cpuMs = (work: () => unknown) => {
      const start = process.cpuUsage();
      work();
      return process.cpuUsage(start).user / 1_000;
    };
    // Alternately, so that a busy moment concerns both.
    const rounds = Array.from({ length: 7 }, () => [cpuMs(some), cpuMs(many)] as const);
    const someMs = Math.min(...rounds.map(([ms]) => ms));
    const manyMs = Math.min(...rounds.map(([, ms]) => ms));
    assert.ok(manyMs < someMs * 15, `${someMs} and ${manyMs} ms`);
  });
});
