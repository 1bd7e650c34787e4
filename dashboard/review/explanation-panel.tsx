import type { Explanation } from "../../shared/contracts/runs/explanation.ts";
import { describeFirstCause } from "../../shared/report/describe-explanation.ts";
import { EXPLANATION_TEXTS } from "../../shared/report/texts.ts";
import { plainText } from "../../shared/text/code-spans.ts";
import { ExplanationList } from "../ui/explanation-list.tsx";
import { SCREENSHOT_PANELS } from "./history-panel.tsx";

/** Shows why the screenshot changed, above it. */
export function ExplanationPanel({ explanation }: { explanation: Explanation }) {
  const words =
    describeFirstCause(explanation) ?? EXPLANATION_TEXTS.onlyAccessibility(explanation.accessibility.length);
  return (
    <details className="viewer-facts shot-explanation" name={SCREENSHOT_PANELS}>
      <summary title={plainText(words)}>{EXPLANATION_TEXTS.why}</summary>
      <div className="explanation">
        <ExplanationList explanation={explanation} />
      </div>
    </details>
  );
}
