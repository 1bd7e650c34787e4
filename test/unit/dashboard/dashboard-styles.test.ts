import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const DASHBOARD = join(import.meta.dirname, "../../../dashboard");

/** Returns the classes that a sheet's selectors start with: `.strip a:hover` counts as `strip`. */
function classesOf(sheet: string): string[] {
  const text = readFileSync(join(DASHBOARD, sheet), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const selectors = [...text.matchAll(/([^{}]+)\{/g)].flatMap(([, selector = ""]) => selector.split(","));
  return selectors.flatMap(selector => /^\s*[a-z]*\.([\w-]+)/.exec(selector)?.[1] ?? []);
}

describe("the dashboard's styles", () => {
  it("belong to one page per sheet, since a loaded sheet stays", () => {
    const sheets = readdirSync(DASHBOARD, { recursive: true, encoding: "utf8" }).filter(
      name => name.endsWith(".css") && !/^(?:dist\b|app\.css$)/.test(name),
    );
    const owned = sheets.flatMap(sheet => [...new Set(classesOf(sheet))].map(name => ({ name, sheet })));
    assert.ok(owned.length > 50, `${owned.length} classes`);
    const shared = [...Map.groupBy(owned, ({ name }) => name)].filter(([, sheetsOf]) => sheetsOf.length > 1);
    assert.deepEqual(shared, []);
  });
});
