import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, it } from "mocha";
import { SOURCES } from "../../../cli/build-dashboard.mjs";

const ROOT = join(import.meta.dirname, "../../..");
/** An import of more than types. */
const IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^;"]*\bfrom\s+)?"(\.[^"]+)";/gm;

describe("The dashboard's build", () => {
  it("is repeated after any of its sources changed", () => {
    const seen = new Set<string>();
    const visit = (file: string) => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const [, to = ""] of readFileSync(file, "utf8").matchAll(IMPORT)) visit(join(file, "..", to));
    };
    const files = readdirSync(join(ROOT, "dashboard"), { recursive: true, encoding: "utf8" });
    for (const file of files) {
      if (/^dist\b/.test(file) || !/\.tsx?$/.test(file)) continue;
      visit(join(ROOT, "dashboard", file));
    }
    const unknown = [...seen]
      .map(file => relative(ROOT, file))
      .filter(file => !SOURCES.some(source => file === source || file.startsWith(`${source}/`)));
    assert.ok(seen.size > 100, `${seen.size} sources`);
    assert.deepEqual(unknown, []);
  });
});
