import { TextlintKernel, type TextlintKernelRule } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import { bannedTerms } from "./banned-terms.ts";
import type { DocsPage } from "./docs-files.ts";
import { sentenceWords } from "./sentence-words.ts";

/** The page that lists the banned terms. */
const WITH_BANNED_TERMS = new Set(["docs/contributing/writing.md"]);
/** Rule 3 of docs/contributing/writing.md. */
const MAX_WORDS = 20;
/** Texts of earlier releases stay as they were. */
const MAX_WORDS_OF_CHANGELOG = 25;

/** Returns problems of the language of handwritten pages: long sentences, and banned terms. */
export async function checkProse(pages: DocsPage[]): Promise<string[]> {
  const kernel = new TextlintKernel();
  const found = await Promise.all(
    pages
      .filter(({ isGenerated }) => !isGenerated)
      .map(async ({ path, text }) => {
        const { messages } = await kernel.lintText(text, {
          ext: ".md",
          plugins: [{ pluginId: "markdown", plugin: markdown.default ?? markdown }],
          rules: rulesFor(path),
        });
        return messages.map(({ loc, message }) => `${path}:${loc.start.line}: ${message.split("\n")[0]}`);
      }),
  );
  return found.flat();
}

const TERMS = bannedTerms();

const BANNED_TERMS: TextlintKernelRule = {
  ruleId: "banned-terms",
  rule: ({ Syntax, RuleError, report, getSource, locator }) => ({
    [Syntax.Str](node) {
      const text = getSource(node);
      for (const { term, instead, pattern } of TERMS) {
        const at = pattern.exec(text)?.index;
        if (at === undefined) continue;
        const error = new RuleError(`Don't write "${term}". Write: ${instead}.`, {
          padding: locator.at(at),
        });
        report(node, error);
      }
    },
  }),
};

function rulesFor(path: string): TextlintKernelRule[] {
  const max = path === "CHANGELOG.md" ? MAX_WORDS_OF_CHANGELOG : MAX_WORDS;
  const sentences = { ruleId: "sentence-words", rule: sentenceWords(max) };
  return WITH_BANNED_TERMS.has(path) ? [sentences] : [sentences, BANNED_TERMS];
}
