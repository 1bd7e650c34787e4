import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "mocha";
import { bannedTerms } from "../../docs/build/banned-terms.ts";
import { bannedIn } from "../support/banned-terms.ts";
import { sampledTexts } from "../support/sampled-texts.ts";
import { faultsOf, longSentences, MAX_WORDS } from "../support/text-faults.ts";
import { writtenTexts } from "../support/written-texts.ts";

const ROOT = new URL("../../", import.meta.url);
const CATALOGUE = /(?:^|\/)texts(?:\/[\w-]+)?\.[jt]s$/;
const CATALOGUES = ["cli", "dashboard", "mixins", "services", "shared"].flatMap(folder =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: "utf8" })
    .map(name => `${folder}/${name}`)
    .filter(name => CATALOGUE.test(name)),
);

describe("The text catalogues", () => {
  it("are found in every package", () => {
    for (const service of ["alerts", "billing", "gateway", "monitors", "runs", "scm", "teams"])
      assert.ok(CATALOGUES.includes(`services/${service}/texts.ts`), service);
    for (const file of ["cli/texts/check.ts", "dashboard/texts/run.ts", "shared/report/page/texts.js"])
      assert.ok(CATALOGUES.includes(file), file);
  });

  for (const file of CATALOGUES) {
    it(`in ${file} follow the writing guide as they are written`, () => {
      const texts = writtenTexts(file, readFileSync(new URL(file, ROOT), "utf8"));
      const found = texts.flatMap(({ line, text }) =>
        faultsOf(text).map(fault => `${file}:${line}: ${fault}`),
      );
      assert.deepEqual(found, []);
    });

    // The dashboard's functions take whole objects.
    if (!file.startsWith("dashboard/"))
      it(`in ${file} follow the writing guide when their placeholders are filled`, async () => {
        const texts = sampledTexts({ ...(await import(`../../${file}`)) }, "");
        assert.ok(texts.length > 0);
        assert.deepEqual(
          texts.flatMap(([name, text]) => faultsOf(text).map(fault => `${name}: ${fault}`)),
          [],
        );
      });
  }

  it("are checked against the table, by whole words", () => {
    const terms = bannedTerms().map(({ term }) => term);
    for (const term of ["photograph", "photo", "anew", "colour", "fault", "nobody", "mend", "in force"])
      assert.ok(terms.includes(term), term);
    assert.ok(terms.length > 50, `${terms.length} terms`);
    assert.deepEqual(bannedIn("It photographs a default anew, in Colour.").sort(), ["anew", "colour"]);
    assert.deepEqual(faultsOf("Mend it: 1 % changed"), ["mend", "a space before %"]);
  });

  it(`have at most ${MAX_WORDS} words in a sentence, where code and placeholders are one word`, () => {
    const words = "word ".repeat(MAX_WORDS - 1);
    assert.deepEqual(longSentences(`${words}word. ${words}word.`), []);
    assert.equal(longSentences(`Short. ${words}word more.`).length, 1);
    assert.deepEqual(longSentences(`${words}\`vrs check --start "npm run dev"\`.`), []);
    assert.deepEqual(longSentences(`${words}<code>npm start</code> — .`), []);
  });

  it("are read in all branches, whole, with a placeholder for each value", () => {
    const placeholder = (value: string) => `$\u007b${value}}`;
    const found = writtenTexts(
      "a.ts",
      `const text = n => isMany ? \`${placeholder("n")} of \` + "them " + n : \`all ${placeholder('n ? "both" : "one"')}\`;`,
    );
    assert.deepEqual(
      found.map(({ text }) => text),
      ["… of them …", "all …", "both", "one"],
    );
  });
});
