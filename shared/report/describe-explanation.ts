import type { Explanation, RunCause } from "../contracts/runs/explanation.ts";
import { plainText } from "../text/code-spans.ts";
import { EXPLANATION_TEXTS } from "./texts.ts";

const MAX_RUN_CAUSES = 10;
/** The number of elements in a cause's text. */
const ELEMENTS = /, \d+ elements(?=, by |$)/;

/** Describes the first cause and counts the others. Null if no cause is known. */
export function describeFirstCause(explanation: Explanation | null | undefined): string | null {
  const [first, ...others] = explanation?.causes ?? [];
  if (first === undefined) return null;
  return others.length === 0 ? first.text : EXPLANATION_TEXTS.withMore(first.text, others.length);
}

/** Returns whether an explanation says more than its first cause. */
export function hasMore({ causes, effects, accessibility }: Explanation): boolean {
  return causes.length > 1 || effects.length > 0 || accessibility.length > 0;
}

/** Describes a cause of a run, and how many screenshots it changed. */
export function describeRunCause(cause: RunCause): string {
  const words = EXPLANATION_TEXTS.inScreenshots(textOf(cause), cause.screenshots);
  return cause.isProven ? EXPLANATION_TEXTS.inProven(words) : words;
}

/** Returns the causes of a run that are worth a line: of several screenshots, or the only one. */
export function leadingCauses(causes: readonly RunCause[] = [], limit = 3): RunCause[] {
  const distinct = joinEqual(causes);
  const shared = distinct.filter(({ screenshots }) => screenshots > 1);
  return (shared.length > 0 ? shared : distinct.slice(0, 1)).slice(0, limit);
}

/** Returns a cause's text. Each screenshot has its own number of elements. */
function textOf({ text, screenshots }: RunCause): string {
  return screenshots > 1 ? text.replace(ELEMENTS, "") : text;
}

/** Joins causes that read the same, most frequent first. Only their keys tell them apart. */
function joinEqual(causes: readonly RunCause[]): RunCause[] {
  const groups = Map.groupBy(causes, ({ text }) => text.replace(ELEMENTS, ""));
  return [...groups.values()]
    .flatMap(([first, ...others]) => {
      if (first === undefined) return [];
      const screenshots = others.reduce((sum, other) => sum + other.screenshots, first.screenshots);
      return [{ ...first, screenshots }];
    })
    .sort((a, b) => b.screenshots - a.screenshots);
}

/** Returns a note of a screenshot with its first cause before it, without backticks. */
export function withCause(explanation: Explanation | null | undefined, note: string | null): string | null {
  const cause = describeFirstCause(explanation);
  if (cause === null) return note;
  return note === null ? plainText(cause) : `${plainText(cause)}. ${note}`;
}

/** Counts the causes of changed screenshots, most frequent first, as the service does for a run. */
export function countCausesOfChanged(
  screenshots: readonly { status: string; explanation?: Explanation | null }[],
): RunCause[] {
  return countCauses(screenshots.filter(({ status }) => status === "changed"));
}

/** Counts the causes of screenshots, most frequent first. */
export function countCauses(screenshots: readonly { explanation?: Explanation | null }[]): RunCause[] {
  const counted = new Map<string, RunCause>();
  for (const { explanation } of screenshots) {
    for (const { key, kind, text } of explanation?.causes ?? []) {
      const known = counted.get(key) ?? { key, kind, text, screenshots: 0 };
      counted.set(key, { ...known, screenshots: known.screenshots + 1 });
    }
  }
  return [...counted.values()].sort((a, b) => b.screenshots - a.screenshots).slice(0, MAX_RUN_CAUSES);
}
