import assert from "node:assert/strict";
import type { CauseFile } from "../../../shared/contracts/runs/explanation.ts";
import { nameChangedFiles } from "../../../shared/explain/name-changed-files.ts";
import { causeWith } from "../../support/fixtures/explanations.ts";

const SINCE = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d";

function textFor(
  file: CauseFile | null,
  paths: string[],
  text = "`.buy` color, by `app.css` (changed)",
): string {
  const explanation = { causes: [causeWith(text, { file })], effects: [], accessibility: [] };
  const [cause] = nameChangedFiles(explanation, { since: SINCE, paths }).causes;
  assert.equal(cause?.key, explanation.causes[0]?.key);
  return cause?.text ?? "";
}

const changed = (url: string, source?: string): CauseFile => {
  return { url, change: "changed", ...(source !== undefined && { source }) };
};

describe("changed files of the commit", () => {
  it("are named in place of what was built from them", () => {
    const file = changed("https://shop.example/assets/app.3f2a9c1d.css");
    assert.equal(
      textFor(file, ["README.md", "src/app.css", "src/app.ts"]),
      "`.buy` color, by `src/app.css` (changed since 1a2b3c4)",
    );
    assert.match(textFor(file, ["src/app.scss"]), /by `src\/app\.scss` \(changed since 1a2b3c4\)$/);
    const variable = "`.buy` color, by `--accent` in `app.css` (changed)";
    assert.equal(
      textFor(file, ["src/app.css"], variable),
      "`.buy` color, by `--accent` in `src/app.css` (changed since 1a2b3c4)",
    );
  });

  it("are chosen by their folders if several have the name", () => {
    const paths = ["admin/css/app.css", "shop/css/app.css", "app.css"];
    assert.match(
      textFor(changed("https://shop.example/shop/css/app.css"), paths),
      /by `shop\/css\/app\.css`/,
    );
    assert.match(textFor(changed("https://shop.example/x/app.css"), paths), /by `app\.css` \(changed\)$/);
  });

  it("keep the line of the source map", () => {
    const file = changed("https://shop.example/app.css", "src/button.css:12");
    const text = "`.buy` color, by `src/button.css:12` (changed)";
    assert.equal(
      textFor(file, ["web/src/button.css"], text),
      "`.buy` color, by `web/src/button.css:12` (changed since 1a2b3c4)",
    );
  });

  it("change nothing without a match, or for files that failed or are new", () => {
    const text = "`.buy` color, by `app.css` (changed)";
    assert.equal(textFor(changed("https://shop.example/app.css"), ["src/other.css"]), text);
    assert.equal(textFor(null, ["src/app.css"]), text);
    assert.equal(textFor({ url: "https://shop.example/app.css", change: "added" }, ["src/app.css"]), text);
    assert.equal(textFor(changed("::"), ["", "a"]), text);
  });
});
