import type { TextlintRuleModule } from "@textlint/types";

/** Words of a long sentence that its message shows. */
const SHOWN_WORDS = 6;
/** A sentence can start with a name in lower case, such as vrs. */
const SENTENCE_END = /(?<=[.!?]["”')\]]*)\s+/;

/** The fields of a node that the rule reads. Parents have children, texts have a value. */
interface TextNode {
  type: string;
  value?: string;
  children?: readonly TextNode[];
}

/**
 * Returns a rule that reports sentences with more than `max` words. List items and table cells count as
 * sentences.
 */
export function sentenceWords(max: number): TextlintRuleModule {
  return ({ Syntax, RuleError, report }) => {
    const reportLong = (node: Parameters<typeof report>[0]) => {
      for (const { count, start } of longSentences(plainText(node), max))
        report(node, new RuleError(`${count} words, at most ${max}: "${start} …". Split the sentence.`));
    };
    return { [Syntax.Paragraph]: reportLong, [Syntax.TableCell]: reportLong };
  };
}

function longSentences(text: string, max: number): { count: number; start: string }[] {
  return text
    .split(SENTENCE_END)
    .map(sentence => sentence.split(/\s+/).filter(word => /[\p{L}\p{N}]/u.test(word)))
    .filter(({ length }) => length > max)
    .map(words => ({ count: words.length, start: words.slice(0, SHOWN_WORDS).join(" ") }));
}

/** Returns the text that a reader sees, with one word for each code span. */
function plainText({ type, value = "", children = [] }: TextNode): string {
  if (type === "Code") return "`code`";
  if (type === "Html" || type === "Image" || type === "Break") return " ";
  return value + children.map(plainText).join("");
}
