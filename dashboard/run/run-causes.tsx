import type { RunCause } from "../../shared/contracts/runs/explanation.ts";
import { describeRunCause, leadingCauses } from "../../shared/report/describe-explanation.ts";
import { EXPLANATION_TEXTS } from "../../shared/report/texts.ts";
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
