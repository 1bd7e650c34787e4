import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const DASHBOARD = join(import.meta.dirname, "../../../dashboard");

/** The classes that a sheet's rules begin with: `.strip a:hover` is about `strip`. */
function classesOf(sheet: string): string[] {
  const text = readFileSync(join(DASHBOARD, sheet), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const selectors = [...text.matchAll(/([^{}]+)\{/g)].flatMap(([, selector = ""]) => selector.split(","));
  return selectors.flatMap(selector => /^\s*[a-z]*\.([\w-]+)/.exec(selector)?.[1] ?? []);
}

describe("the dashboard's styles", () => {
  it("are each of one page's sheet: a sheet that was loaded stays, and would dress other pages too", () => {
    const sheets = readdirSync(DASHBOARD, { recursive: true, encoding: "utf8" }).filter(
      name => name.endsWith(".css") && !/^(?:dist\b|app\.css$)/.test(name),
    );
    const owned = sheets.flatMap(sheet => [...new Set(classesOf(sheet))].map(name => ({ name, sheet })));
    assert.ok(owned.length > 50, `${owned.length} classes`);
    const shared = [...Map.groupBy(owned, ({ name }) => name)].filter(([, sheetsOf]) => sheetsOf.length > 1);
    assert.deepEqual(shared, []);
  });
});
