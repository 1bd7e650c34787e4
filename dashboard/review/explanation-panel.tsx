import type { Explanation } from "../../shared/contracts/runs/explanation.ts";
import type { ShownProof } from "../../shared/contracts/runs/proof.ts";
import { describeFirstCause } from "../../shared/report/describe-explanation.ts";
import { EXPLANATION_TEXTS } from "../../shared/report/texts.ts";
import { plainText } from "../../shared/text/code-spans.ts";
import { ExplanationList } from "../ui/explanation-list.tsx";
import { SCREENSHOT_PANELS } from "./history-panel.tsx";
import { ProofButton } from "./proof-button.tsx";
import type { Proving } from "./use-prove.ts";

/** Shows why the screenshot changed, above it. */
export function ExplanationPanel({
  explanation,
  proof,
  proving,
}: {
  explanation: Explanation;
  proof: ShownProof | null;
  proving: Proving;
}) {
  const words =
    describeFirstCause(explanation) ?? EXPLANATION_TEXTS.onlyAccessibility(explanation.accessibility.length);
  return (
    <details className="viewer-facts shot-explanation" name={SCREENSHOT_PANELS}>
      <summary title={plainText(words)}>{EXPLANATION_TEXTS.why}</summary>
      <div className="explanation">
        <ProofButton proof={proof} proving={proving} />
        <ExplanationList explanation={explanation} />
      </div>
    </details>
  );
}
