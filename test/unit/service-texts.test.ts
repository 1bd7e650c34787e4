import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { openApi } from "../../services/gateway/openapi.ts";
import { ROUTES } from "../../services/gateway/routes.ts";
import { ERRORS } from "../../shared/errors.ts";
import { bannedIn, bannedTerms, textsOf } from "../support/banned-terms.ts";

const root = new URL("../../", import.meta.url);
const CATALOGUES = ["services", "shared"].flatMap(folder =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
    .filter(name => name.endsWith("texts.ts"))
    .map(name => `${folder}/${name}`),
);
/** Of a text that is a few short sentences. */
const LONGEST_SENTENCE_WORDS = 32;

const terms = await bannedTerms();

/** Returns what is wrong with texts by the writing guide. */
function faultsOf(texts: readonly [name: string, text: string][]): string[] {
  return texts.flatMap(([name, text]) => {
    const found = bannedIn(text, terms);
    if (/\d\s%/.test(text)) found.push("a space before %");
    return found.map(fault => `${name}: ${fault} in "${text}"`);
  });
}

function longSentences(texts: readonly [name: string, text: string][]): string[] {
  return texts.flatMap(([name, text]) =>
    text
      .split(/[.!?](?:\s|$)/)
      .filter(sentence => sentence.split(/\s+/).length > LONGEST_SENTENCE_WORDS)
      .map(sentence => `${name}: ${sentence}`),
  );
}

describe("the services' texts", () => {
  it("are in a catalogue for each service that has some", () => {
    for (const service of ["alerts", "billing", "gateway", "monitors", "runs", "scm", "teams"])
      assert.ok(CATALOGUES.includes(`services/${service}/texts.ts`), service);
  });

  for (const file of CATALOGUES)
    it(`in ${file} follow the terms of writing.md, in sentences that can be read once`, async () => {
      const texts = textsOf({ ...(await import(`../../${file}`)) }, "");
      assert.ok(texts.length > 0);
      assert.deepEqual(faultsOf(texts), []);
      assert.deepEqual(longSentences(texts), []);
    });

  it("of the API's errors follow them too, in at most three sentences", () => {
    const texts = textsOf(ERRORS, "ERRORS");
    assert.deepEqual(faultsOf(texts), []);
    for (const [name, text] of texts) assert.ok(text.split(/[.!?]\s/).length <= 3, name);
  });

  it("of the API's routes and fields follow them too", () => {
    const texts = described(openApi(ROUTES, "0"), "openapi");
    assert.ok(texts.length > 300, `${texts.length} texts`);
    assert.deepEqual(faultsOf(texts), []);
  });

  it("are checked", () => {
    assert.deepEqual(faultsOf([["a", "Mend it: 1 % changed"]]), [
      'a: mend in "Mend it: 1 % changed"',
      'a: a space before % in "Mend it: 1 % changed"',
    ]);
    assert.equal(longSentences([["a", "word ".repeat(LONGEST_SENTENCE_WORDS + 1)]]).length, 1);
  });
});

/** Returns every summary and description within a document. */
function described(value: unknown, name: string): [name: string, text: string][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    typeof part === "string" && (key === "summary" || key === "description")
      ? [[`${name}.${key}`, part] satisfies [string, string]]
      : described(part, `${name}.${key}`),
  );
}
