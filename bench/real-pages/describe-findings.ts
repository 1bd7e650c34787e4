import { type ChangeOutcome, isVisible, tallyChanges } from "./changes/change-outcome.ts";
import { nameOf } from "./corpus/plan-captures.ts";
import type { Results } from "./describe-results.ts";
import { offendersOf, tallyNulls } from "./null-comparison.ts";

/** Maximum number of named findings of a kind. The terminal's output has all. */
const MAX_NAMED = 40;

/** Lists in sentences which pages changed by themselves, which changes were missed, and what was left out. */
export function findingsOf(results: Results): string[] {
  return [...nullFindings(results), ...timeFindings(results), ...changeFindings(results)];
}

function nullFindings({ nulls }: Results): string[] {
  if (nulls === null) return [];
  const { unseen } = tallyNulls(nulls.comparisons);
  return [
    ...limited(
      offendersOf(nulls.comparisons).map(
        one =>
          `False changes of ${nameOf(one.planned)}: ${one.falseChanges} of ${one.comparisons}, at most ${one.mostPixels} pixels, ${one.unstable === 0 ? "all stable" : `${one.unstable} unstable`}${one.moving.length > 0 ? `; moving: ${one.moving.join(", ")}` : ""}.`,
      ),
      "pages with false changes",
    ),
    ...(unseen > 0
      ? [`${unseen} captures had other bytes than their baseline and no pixel that counts as changed.`]
      : []),
    ...limited(
      [...new Set(nulls.failures)].map(failure => `Not captured: ${failure}`),
      "pages not captured",
    ),
  ];
}

function timeFindings({ time }: Results): string[] {
  const cut = time?.cutPages ?? [];
  return cut.length === 0
    ? []
    : [`Not timed, since vrs alone cuts them at its greatest size: ${cut.join(", ")}.`];
}

function changeFindings({ changes }: Results): string[] {
  if (changes === null) return [];
  const inAll = tallyChanges(changes).at(-1);
  const reasons = Map.groupBy(
    changes.flatMap(one => (one.state === "not judged" ? one.reason : [])),
    reason => reason,
  );
  return [
    `Of ${changes.length} changes, ${inAll?.invisible} are invisible and ${inAll?.notEvaluated} were not judged; neither counts.`,
    ...[...reasons].map(([reason, all]) => `Not judged, ${all.length} times: ${reason}.`),
    ...limited(changes.flatMap(missInWords), "misses"),
  ];
}

function missInWords(one: ChangeOutcome): string[] {
  if (one.state !== "missed" || !isVisible(one)) return [];
  const { planned, kind, selector, truthStep, truthPixels } = one;
  return [
    `Missed on ${nameOf(planned)}: ${kind} of ${selector}, ${truthPixels} pixels by up to ${truthStep} of 255.`,
  ];
}

function limited(sentences: string[], what: string): string[] {
  const more = sentences.length - MAX_NAMED;
  return more > 0 ? [...sentences.slice(0, MAX_NAMED), `${more} more ${what}.`] : sentences;
}
