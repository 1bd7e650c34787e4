import { TextlintKernel, type TextlintKernelRule } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import sentenceLength from "textlint-rule-sentence-length";
import { bannedTerms } from "./banned-terms.ts";
import type { DocsPage } from "./docs-files.ts";

/** Of the page that lists them, and of files that explain the code and not its use. */
const WITH_BANNED_TERMS = new Set(["docs/contributing/writing.md"]);
/** 20 words are the aim. What is longer than this has more than one fact. */
const MAX_CHARACTERS = 160;

/** Returns what is wrong with the language of the pages that people write: long sentences, and terms that aren't ours. */
export async function checkProse(pages: DocsPage[]): Promise<string[]> {
  const kernel = new TextlintKernel();
  const found = await Promise.all(
    pages
      .filter(({ isGenerated, path }) => !isGenerated && !WITH_BANNED_TERMS.has(path))
      .map(async ({ path, text }) => {
        const { messages } = await kernel.lintText(text, {
          ext: ".md",
          plugins: [{ pluginId: "markdown", plugin: markdown.default ?? markdown }],
          rules: RULES,
        });
        return messages.map(({ loc, message }) => `${path}:${loc.start.line}: ${message.split("\n")[0]}`);
      }),
  );
  return found.flat();
}

const TERMS = bannedTerms();

const RULES: TextlintKernelRule[] = [
  {
    ruleId: "sentence-length",
    rule: sentenceLength.default,
    options: { max: MAX_CHARACTERS, skipUrlStringLink: true },
  },
  {
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
  },
];
