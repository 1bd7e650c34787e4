import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, it } from "mocha";
import { renderToStaticMarkup } from "react-dom/server";
import * as texts from "../../../dashboard/texts/index.ts";
import { fill } from "../../../dashboard/ui/fill.ts";
import { textLiterals } from "../../support/tools/text-literals.ts";

const DASHBOARD = join(import.meta.dirname, "../../../dashboard");

describe("The dashboard's texts", () => {
  it("are all in the catalogue", () => {
    const sources = readdirSync(DASHBOARD, { recursive: true, encoding: "utf8" }).filter(
      path => /\.tsx?$/.test(path) && !/^(?:dist|texts)\b/.test(path),
    );
    assert.ok(sources.length > 100, "the dashboard's sources are read");
    const found = sources.flatMap(path =>
      textLiterals(path, readFileSync(join(DASHBOARD, path), "utf8")).map(
        ({ line, text }) => `${relative(".", path)}:${line}: ${text}`,
      ),
    );
    assert.deepEqual(found, [], "move these texts to dashboard/texts/");
  });

  it("are found in all places of a component", () => {
    const found = (source: string) => textLiterals("a.tsx", source).map(({ text }) => text);
    assert.deepEqual(found("<p>Read me</p>"), ["Read me"]);
    assert.deepEqual(found('<p>{isOn ? "none" : <b />}</p>'), ["none"]);
    assert.deepEqual(found("<p>{count} px</p>"), ["px"]);
    assert.deepEqual(found('<Field label="name" hint={`at $\u007bx} px`} />'), ["name", "at", "px"]);
    assert.deepEqual(found('say({ text: "Saved" })'), ["Saved"]);
    assert.deepEqual(found("const left = `$\u007bn} screenshots left`;"), ["screenshots left"]);
    assert.deepEqual(found('throw new Error("It was not saved.")'), ["It was not saved."]);
  });

  it("are not confused with texts for the program", () => {
    const plain = `import { a } from "./a b.ts";
      const key = ["run", \`\${id} \${name}\`];
      <div className="page wide" aria-current="page" style={{ width: "10px" }}>{" · "}</div>;
      <path d="M0 0 L1 1" viewBox={\`0 0 \${w} \${h}\`} />;`;
    assert.deepEqual(textLiterals("a.tsx", plain), []);
  });

  it("are filled with elements and names, and names in braces stay", () => {
    const filled = fill("A newer run of {branch} exists. {link}", { branch: "{link}<b>", link: "Open" });
    assert.equal(renderToStaticMarkup(filled), "A newer run of {link}&lt;b&gt; exists. Open");
  });

  it("write percentages, ellipses, and users as the writing guide does", () => {
    // Commands have dots for an API key.
    const said = everyText({ ...texts, commands: {} });
    assert.ok(said.length > 500, "the catalogue is read");
    const found = said.filter(text =>
      /\d[\s\u202f]%|\w …|\.\.\.|\b(?:she|he|her|his|nobody|somebody)\b/i.test(text),
    );
    assert.deepEqual(found, []);
  });
});

/** Every string of the catalogue. For functions their source, which contains their texts. */
function everyText(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "function") return textLiterals("text.ts", `(${value})`).map(({ text }) => text);
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(everyText);
}
