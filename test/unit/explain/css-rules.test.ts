import assert from "node:assert/strict";
import { changedDeclarations, readRules } from "../../../shared/explain/elements/css-rules.ts";
import { matchesSelector } from "../../../shared/explain/elements/matches-selector.ts";
import { PageTree } from "../../../shared/explain/elements/page-tree.ts";
import { capsuleOf } from "../../support/fixtures/sites/capsule-pages.ts";

describe("rules of a stylesheet", () => {
  it("reads media queries, nested rules, strings and data URLs", () => {
    const css = `/* a{b:c} */ .a { color: red; background: url(data:image/png;base64,AA==) }
      @media (width > 600px) { .a, .b > .c { color: blue } }
      .d { & .e { top: 1px } content: "}" }`;
    assert.deepEqual(
      [...readRules(css)].map(([key, declarations]) => [key, Object.fromEntries(declarations)]),
      [
        [" | .a", { color: "red", background: "url(data:image/png;base64,AA==)" }],
        ["@media (width > 600px) | .a, .b > .c", { color: "blue" }],
        [" | .d .e", { top: "1px" }],
        [" | .d", { content: '"}"' }],
      ],
    );
  });

  it("finds the declarations that differ", () => {
    const changes = changedDeclarations(
      readRules(".a{color:red;top:0}"),
      readRules(".a{color:blue;top:0}.b{left:1px}"),
    );
    assert.deepEqual(changes, [
      { selector: ".a", property: "color", before: "red", after: "blue" },
      { selector: ".b", property: "left", before: null, after: "1px" },
    ]);
  });

  it("survives damaged and hostile stylesheets", () => {
    assert.equal(readRules("}}}{{{ .a { color: red").size, 0);
    assert.doesNotThrow(() => readRules(`${"&".repeat(500)} {`.repeat(20)));
    assert.ok(readRules(`a{${"&&&&{".repeat(9)}top:0`).size <= 1);
  });

  const tree = new PageTree(
    capsuleOf([
      {
        attributes: { id: "list", class: "grid wide" },
        children: [{ tag: "p", attributes: { class: "card" } }, { tag: "a" }],
      },
    ]),
  );
  const [paragraph, link] = [3, 4];
  const cases: [selector: string, node: number, matches: boolean][] = [
    [".card", paragraph, true],
    ["#list > .card", paragraph, true],
    ["body .grid.wide p.card", paragraph, true],
    ["body > .card", paragraph, false],
    [".card + a", link, true],
    [".other, a", link, true],
    ["a:hover", link, false],
    [":is(.x, .y) a", link, true],
    ["p ~ a", link, true],
    [":root", 0, true],
  ];
  for (const [selector, node, matches] of cases)
    it(`${matches ? "matches" : "doesn't match"} an element by ${selector}`, () => {
      assert.equal(matchesSelector(tree, node, selector), matches);
    });

  it("matches names with escaped characters", () => {
    const names = ["md:flex", "w-1/2", "visible@s", "gap-[calc(1px,2px)]", "1st"];
    const tree = new PageTree(capsuleOf([{ attributes: { class: names.join(" "), id: "a:b" }, text: "x" }]));
    const isMatch = (selector: string) => matchesSelector(tree, 2, selector);
    for (const selector of [
      String.raw`.md\:flex`,
      String.raw`div.w-1\/2.visible\@s`,
      String.raw`.gap-\[calc\(1px\,2px\)\]`,
      String.raw`body > .\31 st`,
      String.raw`#a\:b`,
      String.raw`.md\:hover\:none, .md\:flex`,
    ])
      assert.ok(isMatch(selector), selector);
    for (const selector of [String.raw`.md\:block`, ".md", ".w-1", String.raw`.md\:flex:hover`])
      assert.ok(!isMatch(selector), selector);
  });
});
