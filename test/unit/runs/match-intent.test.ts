import assert from "node:assert/strict";
import { isIntended } from "../../../services/runs/intent/match-intent.rule.ts";
import { intentInput } from "../../../shared/contracts/runs/intent.ts";
import type { ScreenshotStatus } from "../../../shared/contracts/runs/screenshots.ts";
import { causeWith } from "../../support/fixtures/explanations.ts";

const PADDING = "`.card .btn` padding 12px → 16px, by `app.css` (changed)";
const TEXT = "`.price` text “€49” → “€59”, by the page's HTML (changed)";

const changed = (texts: string[] | null, route = "/pricing", status: ScreenshotStatus = "changed") => ({
  status,
  route,
  diffPixels: status === "changed" ? 5 : null,
  faintPixels: 0,
  explanation: texts && { causes: texts.map(causeOf), effects: [], accessibility: [] },
});
const causeOf = (text: string) =>
  causeWith(text, { selector: text.split("`")[1] ?? null, property: null, before: null, after: null });
const decide = (intent: object, screenshot: ReturnType<typeof changed>) =>
  isIntended(intentInput.parse(intent), screenshot);

describe("A change is intended", () => {
  it("if its route is meant, whatever its causes are", () => {
    const intent = { routes: ["/pricing*"] };
    assert.equal(decide(intent, changed([PADDING])), true);
    assert.equal(decide(intent, changed(null, "/pricing/team")), true);
    assert.equal(decide(intent, changed([PADDING], "/")), false);
  });

  it("if each of its causes has a selector or a word of the intent", () => {
    const intent = { selectors: [".btn"], words: ["€59"] };
    assert.equal(decide(intent, changed([PADDING, TEXT])), true);
    assert.equal(decide(intent, changed([PADDING, "`.foot` was added"])), false);
    assert.equal(decide({ words: ["APP.CSS"] }, changed([PADDING])), true);
  });

  it("only if its causes are known, where the intent names any", () => {
    assert.equal(decide({ words: ["price"] }, changed(null)), false);
    assert.equal(decide({ words: ["price"] }, changed([])), false);
  });

  it("only with both, if the intent has routes and selectors", () => {
    const intent = { routes: ["/pricing"], selectors: [".price"] };
    assert.equal(decide(intent, changed([TEXT])), true);
    assert.equal(decide(intent, changed([TEXT], "/")), false);
    assert.equal(decide(intent, changed([PADDING])), false);
  });

  const selectors: [selector: string, isThere: boolean][] = [
    [".btn", true],
    [".bt", false],
    [".card", true],
    [".card .btn", true],
    ["btn", false],
    ["tn", false],
    [".btn-primary", false],
  ];
  for (const [selector, isThere] of selectors)
    it(`${isThere ? "by" : "but not by"} ${selector} if .card .btn changed`, () =>
      assert.equal(decide({ selectors: [selector] }, changed([PADDING])), isThere));

  it("as a new or removed page only by its route", () => {
    for (const status of ["new", "removed"] as const) {
      assert.equal(decide({ routes: ["/pricing"] }, changed(null, "/pricing", status)), true);
      assert.equal(decide({ words: ["price"] }, changed(null, "/pricing", status)), false);
    }
  });

  it("also within the threshold", () => {
    const minor = { ...changed([PADDING], "/", "unchanged"), diffPixels: 5 };
    assert.equal(decide({ selectors: [".btn"] }, minor), true);
    assert.equal(decide({ selectors: [".foot"] }, minor), false);
  });

  it("never if the page failed, and is undecided if nothing differs", () => {
    const intent = { routes: ["*"] };
    assert.equal(decide(intent, changed(null, "/", "failed")), false);
    for (const status of ["unchanged", "pending"] as const)
      assert.equal(decide(intent, changed(null, "/", status)), null);
  });

  it("only by an intent with a term", () =>
    assert.match(intentInput.safeParse({}).error?.issues[0]?.message ?? "", /at least one/));
});
