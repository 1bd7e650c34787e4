import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "mocha";
import { bannedIn, bannedTerms } from "../../../docs/build/banned-terms.ts";
import { sampledTexts } from "../../support/tools/sampled-texts.ts";
import { failuresOf, longSentences, MAX_WORDS } from "../../support/tools/text-findings.ts";
import { writtenTexts } from "../../support/tools/written-texts.ts";

const ROOT = new URL("../../../", import.meta.url);
const CATALOGUE = /(?:^|\/)texts(?:\/[\w-]+)*\.[jt]s$/;
const CATALOGUES = ["cli", "dashboard", "mixins", "services", "shared"].flatMap(folder =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: "utf8" })
    .map(name => `${folder}/${name}`)
    .filter(name => CATALOGUE.test(name)),
);

/** Packages whose code has no texts of its own. */
const PACKAGES = [
  "cli",
  "mixins",
  "services",
  ...["alerts", "broker", "capture", "environment", "project-config", "secrets", "storybook"].map(
    name => `shared/${name}`,
  ),
];
/**
 * Files that another test checks, files with SQL or the sample site, and files that run before imports can.
 */
const OTHER_FILES =
  /(?:routes|openapi|api-docs|app-docs|\.store|project-config\/project-config)\.ts$|demo\/site\/|cli\/main\.ts$/;
/** Texts of the wire contract, and assertions that only developers can break. */
const NO_MESSAGES = new Set([
  "Service API not configured (SERVICE_API_URL / SERVICE_API_KEY)",
  "Code-host app not configured (CODEHOST_APP_ID / CODEHOST_APP_PRIVATE_KEY)",
  "Webhook secret not configured",
  "Preview URL not allowed",
  "No preview URL available yet",
  "Skipping production deployment",
  "Ignored event type: …",
  "Ignored action: installation …",
  "The server does not support SSL connections",
  "Query read timeout",
  "Migrations run in a transaction.",
  "A configuration that was refused has no failure",
  "It needs a source and its file's name",
  "One monitor is one view.",
  "This route was called without an identity.",
  "These thumbnails are no longer needed.",
  "All requests for this thumbnail were closed.",
  "… text eol=lf merge=union\n*.png -text\n",
  "No screenshot was taken.",
  "A state of the visit has no step that captures it.",
  "The steps of the page have no screenshot of it.",
  "There is nothing to capture.",
  "The step did not end in time.",
  "The proxy has no port.",
  "The page is not responding.",
  "The frame is not responding.",
  "The page was not painted.",
  "Hamburgefonstiv 0123456789 fi fl ffi @&%",
]);
const MESSAGE = /^(?:["“]?\p{Lu}[\p{L}'’-]*|…)(?:[ ,:;]+\S+)*? \p{Ll}[\p{Ll}'’-]+ (?:\p{Ll}|…|[A-Z_"])/u;
const NO_SENTENCE = /[<>{}]|::|\$\d|… × …|^(?:A browser|…) on …$|^… min … s$/;

describe("The text catalogues", () => {
  it("are found in every package", () => {
    for (const service of ["alerts", "billing", "monitors", "teams"])
      assert.ok(CATALOGUES.includes(`services/${service}/texts.ts`), service);
    for (const file of [
      "cli/texts/check.ts",
      "services/gateway/texts/errors.ts",
      "services/runs/texts/runs.ts",
      "dashboard/texts/runs/run.ts",
      "shared/report/page/texts.js",
    ])
      assert.ok(CATALOGUES.includes(file), file);
  });

  for (const folder of PACKAGES)
    it(`have all messages of ${folder}`, () => {
      const sources = readdirSync(new URL(folder, ROOT), { recursive: true, encoding: "utf8" })
        .map(name => `${folder}/${name}`)
        .filter(name => name.endsWith(".ts") && !CATALOGUE.test(name) && !OTHER_FILES.test(name));
      assert.ok(sources.length > 0, "the sources are read");
      const found = sources.flatMap(file =>
        writtenTexts(file, readFileSync(new URL(file, ROOT), "utf8"))
          .filter(({ text }) => MESSAGE.test(text) && !NO_SENTENCE.test(text) && !NO_MESSAGES.has(text))
          .map(({ line, text }) => `${file}:${line}: ${text}`),
      );
      assert.deepEqual(found, [], "move these texts to the package's catalogue");
    });

  for (const file of CATALOGUES) {
    it(`in ${file} follow the writing guide as they are written`, () => {
      const texts = writtenTexts(file, readFileSync(new URL(file, ROOT), "utf8"));
      const found = texts.flatMap(({ line, text }) =>
        failuresOf(text).map(fault => `${file}:${line}: ${fault}`),
      );
      assert.deepEqual(found, []);
    });

    // The dashboard's functions take whole objects.
    if (!file.startsWith("dashboard/"))
      it(`in ${file} follow the writing guide when their placeholders are filled`, async () => {
        const texts = sampledTexts({ ...(await import(`../../../${file}`)) }, "");
        assert.ok(texts.length > 0);
        assert.deepEqual(
          texts.flatMap(([name, text]) => failuresOf(text).map(fault => `${name}: ${fault}`)),
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
    assert.deepEqual(failuresOf("Mend it: 1 % changed"), ["mend", "a space before %"]);
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
