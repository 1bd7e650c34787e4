import type { RunCause } from "../../shared/contracts/runs/explanation.ts";
import type { Intent } from "../../shared/contracts/runs/intent.ts";
import { describeRunCause, leadingCauses } from "../../shared/report/describe-explanation.ts";
import { EXPLANATION_TEXTS, INTENT_TEXTS } from "../../shared/report/texts.ts";
import { runTexts } from "../texts/runs/run.ts";
import { CodeText } from "../ui/text/code-text.tsx";

/** Shows the causes that several changes of a run share. */
export function RunCauses({ causes }: { causes: readonly RunCause[] }) {
  const leading = leadingCauses(causes);
  if (leading.length === 0) return null;
  return (
    <ul className="run-causes" aria-label={EXPLANATION_TEXTS.causes}>
      {leading.map(cause => (
        <li key={cause.key}>
          <CodeText text={describeRunCause(cause)} />
        </li>
      ))}
    </ul>
  );
}

/** Shows what a run was meant to change, and how many of its changes were not. */
export function RunIntent({ intent }: { intent: Intent }) {
  const { routes, selectors, words, intended, unintended } = intent;
  const differing = (intended ?? 0) + (unintended ?? 0);
  return (
    <p className="run-intent">
      {runTexts.intent}: {[...routes, ...selectors, ...words].join(", ")}
      {differing > 0 && <> · {INTENT_TEXTS.counts(intended ?? 0, unintended ?? 0)}</>}
    </p>
  );
}
