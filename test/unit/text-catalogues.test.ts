import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { bannedIn, bannedTerms, textsOf } from "../support/banned-terms.ts";

const CATALOGUES = [
  "shared/report/texts.ts",
  "shared/report/page/texts.js",
  ...(await readdir(new URL("../../cli/texts", import.meta.url))).map(name => `cli/texts/${name}`),
];

describe("the texts of the command line and the report", () => {
  for (const file of CATALOGUES) {
    it(`in ${file} follow the terms of writing.md`, async () => {
      const terms = await bannedTerms();
      const texts = textsOf({ ...(await import(`../../${file}`)) }, "");
      assert.ok(texts.length > 10, `${texts.length} texts`);
      const faults = texts.flatMap(([name, text]) => {
        const found = bannedIn(text, terms);
        if (/\d\s%/.test(text)) found.push("a space before %");
        return found.length > 0 ? [`${name}: ${found.join(", ")} in "${text}"`] : [];
      });
      assert.deepEqual(faults, []);
    });
  }

  it("are checked against the table, by whole words", async () => {
    const terms = await bannedTerms();
    for (const term of ["photograph", "photo", "anew", "colour", "fault", "nobody", "mend", "in force"])
      assert.ok(terms.includes(term), term);
    assert.ok(terms.length > 50, `${terms.length} terms`);
    assert.deepEqual(bannedIn("It photographs a default anew, in Colour.", terms).sort(), ["anew", "colour"]);
  });
});
