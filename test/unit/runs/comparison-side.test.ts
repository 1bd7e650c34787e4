import assert from "node:assert/strict";
import { thirdPartiesOf } from "../../../services/runs/looks/third-parties.rule.ts";
import { parseSide, sideText } from "../../../shared/contracts/comparisons/comparison-side.ts";
import { explanationWith } from "../../support/fixtures/explanations.ts";

const ID = "01k8z4m2q7e1v9s5w3x7y1z5a9";

describe("parseSide", () => {
  const valid: [string, object][] = [
    [`run:run_${ID}`, { kind: "run", id: `run_${ID}` }],
    [`run_${ID}`, { kind: "run", id: `run_${ID}` }],
    [`look_${ID}`, { kind: "look", id: `look_${ID}` }],
    ["branch:acme/shop:main", { kind: "branch", project: "acme/shop", branch: "main" }],
    ["branch:localhost:4173:feat/a@b", { kind: "branch", project: "localhost:4173", branch: "feat/a@b" }],
    [`mon_${ID}`, { kind: "monitor", id: `mon_${ID}`, at: null, checkId: null }],
    [`monitor:mon_${ID}@latest`, { kind: "monitor", id: `mon_${ID}`, at: null, checkId: null }],
    [
      `mon_${ID}@2026-01-31T09:00:00+02:00`,
      { kind: "monitor", id: `mon_${ID}`, at: "2026-01-31T07:00:00.000Z", checkId: null },
    ],
    [
      `mon_${ID}@2026-01-31T09:00`,
      { kind: "monitor", id: `mon_${ID}`, at: "2026-01-31T09:00:00.000Z", checkId: null },
    ],
    [`mon_${ID}@chk_${ID}`, { kind: "monitor", id: `mon_${ID}`, at: null, checkId: `chk_${ID}` }],
  ];
  for (const [text, side] of valid)
    it(`reads ${text}`, () => {
      const parsed = parseSide(text);
      assert.deepEqual(parsed, side);
      assert.ok(typeof parsed !== "string");
      assert.deepEqual(parseSide(sideText(parsed)), side);
    });

  const invalid: [string, RegExp][] = [
    ["", /one of these forms/],
    ["main", /one of these forms/],
    ["folder:x", /one of these forms/],
    ["run:main", /the id of a run/],
    [`run_${ID}'; drop`, /the id of a run/],
    ["branch:main", /such as branch:acme\/shop:main/],
    ["branch:shop:", /such as branch:acme\/shop:main/],
    [`branch:shop:${"a".repeat(256)}`, /at most 255/],
    ["branch:shop:a\u0000", /at most 255/],
    [`mon_${ID}@yesterday`, /must have a time such as/],
    [`mon_${ID}@2026-13-41`, /must have a time such as/],
    [`mon_${ID}@0000-01-01`, /must have a time such as/],
    [`mon_${ID}@0001-01-01T00:00:00+14:00`, /must have a time such as/],
    [`mon_${ID}@9999-12-31T23:59:59-14:00`, /must have a time such as/],
    ["look_1", /the id of a look/],
  ];
  for (const [text, message] of invalid)
    it(`refuses ${JSON.stringify(text.slice(0, 40))}`, () => assert.match(String(parseSide(text)), message));
});

describe("thirdPartiesOf", () => {
  const causedBy = (url: string, site = "https://www.shop.example/de") => {
    const explanation = explanationWith("a cause");
    for (const cause of explanation.causes) cause.file = { url, change: "changed" };
    return thirdPartiesOf(explanation, site);
  };

  it("names files of other hosts", () => {
    assert.deepEqual(causedBy("https://chat.example/widget.js"), ["https://chat.example/widget.js"]);
    assert.deepEqual(causedBy("https://evil-shop.example/a.js"), ["https://evil-shop.example/a.js"]);
  });

  it("tells only a leading www from the rest of a host", () => {
    assert.deepEqual(causedBy("https://aexample/a.js", "https://awww.example"), ["https://aexample/a.js"]);
  });

  it("names no file without a host, and none for a page without a host", () => {
    assert.deepEqual(causedBy("data:text/css,a"), []);
    assert.deepEqual(causedBy("https://chat.example/widget.js", "no URL"), []);
  });

  it("leaves out the site's own hosts, and changes without a file", () => {
    for (const own of ["https://shop.example/a.css", "https://cdn.shop.example/a.css", "app.css"])
      assert.deepEqual(causedBy(own), []);
    assert.deepEqual(thirdPartiesOf(explanationWith("a cause"), "https://shop.example"), []);
    assert.deepEqual(thirdPartiesOf(null, "https://shop.example"), []);
  });
});
