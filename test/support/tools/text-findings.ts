import { bannedIn } from "../../../docs/build/banned-terms.ts";

/** Rule 3 of docs/contributing/writing.md. */
export const MAX_WORDS = 20;

const CODE = /`[^`]*`|<code>.*?<\/code>/g;
const SENTENCE_END = /[.!?]["”)]*(?=\s|$)|\n/;

/** Returns the problems of a text by the writing guide. */
export function failuresOf(text: string): string[] {
  return [
    ...bannedIn(text),
    ...(/\d\s%/.test(text) ? ["a space before %"] : []),
    ...longSentences(text).map(sentence => `more than ${MAX_WORDS} words: ${sentence}`),
  ];
}

/** Returns the sentences with too many words. Inline code and each placeholder count as one. */
export function longSentences(text: string): string[] {
  return text
    .replaceAll(CODE, "code")
    .split(SENTENCE_END)
    .filter(
      sentence => sentence.split(/\s+/).filter(word => /[\p{L}\p{N}…{}]/u.test(word)).length > MAX_WORDS,
    );
}
