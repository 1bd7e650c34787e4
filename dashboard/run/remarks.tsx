import { pickPage } from "../../shared/contracts/capture/page-fields.ts";
import { pageName } from "../../shared/contracts/capture/screenshot-key.ts";
import type { ProductionView } from "../../shared/contracts/comparisons/production.ts";
import type { Explanation } from "../../shared/contracts/runs/explanation.ts";
import { describeDiagnostics } from "../../shared/report/describe-diagnostics.ts";
import { describeFirstCause, hasMore } from "../../shared/report/describe-explanation.ts";
import { describeDecision } from "../../shared/report/describe-review.ts";
import {
  describeDifference,
  describeDifferenceSpoken,
  describeIgnored,
  describeInstability,
  describeSizeChange,
  formatFlakeScore,
} from "../../shared/report/describe-screenshot.ts";
import { CARD_TEXTS } from "../../shared/report/render/texts.ts";
import { EXPLANATION_TEXTS, INTENT_TEXTS, PRODUCTION_TEXTS } from "../../shared/report/texts.ts";
import type { Screenshot } from "../api/screenshot.ts";
import type { AppLocation } from "../app-location.ts";
import { Link } from "../navigation.tsx";
import { traceOf } from "../review/test-facts.ts";
import { runTexts } from "../texts/runs/run.ts";
import { DiagnosticsList } from "../ui/diagnostics-list.tsx";
import { ExplanationList } from "../ui/explanation-list.tsx";
import { Icon } from "../ui/icon.tsx";
import { CodeText } from "../ui/text/code-text.tsx";
import { Time, Timed } from "../ui/text/time.tsx";

interface RemarksProps {
  shot: Screenshot;
  /** Whether what went wrong in the page, and how it looked then, are among them. */
  hasDiagnostics?: boolean;
}

/** Shows remarks that matter for trusting the screenshot. */
export function Remarks({ shot, hasDiagnostics = false }: RemarksProps) {
  const diagnostics = hasDiagnostics ? shot.diagnostics : null;
  const explanation = shownExplanation(shot);
  const size = describeSizeChange(shot);
  const decision = describeDecision(shot);
  const ignored = describeIgnored(shot);
  const trace = traceOf(shot.upload);
  const isEmpty =
    shot.error === null &&
    shot.stable &&
    [size, decision, ignored].every(words => words === null) &&
    shot.notes.length === 0 &&
    explanation === null &&
    !shot.proof &&
    !shot.production &&
    trace === null &&
    shot.intended !== false &&
    !diagnostics;
  if (isEmpty) return null;
  return (
    <ul className="remarks">
      {shot.intended === false && <li className="unintended">{INTENT_TEXTS.unintended}</li>}
      {explanation && (
        <li className="explanation">
          {hasDiagnostics && hasMore(explanation) ? (
            <details>
              <summary>
                <CodeText text={firstCauseOf(explanation)} />
              </summary>
              <ExplanationList explanation={explanation} />
            </details>
          ) : (
            <CodeText text={firstCauseOf(explanation)} />
          )}
        </li>
      )}
      {shot.proof && (
        <li>
          <CodeText text={shot.proof.text} />
        </li>
      )}
      {shot.production && (
        <li className="production">
          <Link to={momentOf(shot.production, shot)}>
            {PRODUCTION_TEXTS.sinceBefore}
            <Time iso={shot.production.since} />
          </Link>
        </li>
      )}
      {shot.error !== null && <li data-standing="failed">{shot.error}</li>}
      {hasDiagnostics && shot.images.failure && (
        <li className="failure">
          <a href={shot.images.failure} target="_blank" rel="noreferrer">
            <FailureImage shot={shot} />
          </a>
        </li>
      )}
      {decision && (
        <li data-standing={decision.status}>
          <Icon name={decision.status} />
          <Timed words={decision} />
          {decision.status === "carried" && shot.carried && (
            <>
              {" "}
              <Link to={{ page: "run", id: shot.carried.runId }}>{runTexts.openCarriedRun}</Link>
            </>
          )}
        </li>
      )}
      {!shot.stable && (
        <li data-standing="unstable">
          <Icon name="unstable" />
          {describeInstability(shot)}
        </li>
      )}
      {size !== null && <li>{runTexts.sizeChanged(size)}</li>}
      {ignored !== null && <li>{ignored}</li>}
      {shot.notes.map(note => (
        <li key={note}>{note}</li>
      ))}
      {trace !== null && (
        <li>
          <a href={trace} rel="noopener noreferrer" target="_blank">
            {runTexts.openTrace}
          </a>
        </li>
      )}
      {diagnostics && (
        <li className="diagnostics">
          <details>
            <summary>{describeDiagnostics(diagnostics)}</summary>
            <DiagnosticsList diagnostics={diagnostics} />
          </details>
        </li>
      )}
    </ul>
  );
}

function momentOf({ monitorId: id, lookId }: ProductionView, shot: Screenshot): AppLocation {
  return { page: "monitor", id, isEdited: false, moment: { look: lookId, ...pickPage(shot) } };
}

/** Returns an explanation that says something. */
function shownExplanation({ explanation }: Screenshot): Explanation | null {
  return explanation && explanation.causes.length + explanation.accessibility.length > 0 ? explanation : null;
}

function firstCauseOf(explanation: Explanation): string {
  return (
    describeFirstCause(explanation) ?? EXPLANATION_TEXTS.onlyAccessibility(explanation.accessibility.length)
  );
}

/** Shows a page at its failure. */
export function FailureImage({ shot }: { shot: Screenshot }) {
  const { failure } = shot.images;
  if (!failure) return null;
  return <img src={failure} alt={CARD_TEXTS.failureOf(pageName(shot), shot.viewport)} loading="lazy" />;
}

/** Shows how a screenshot differs. Screen readers hear a sentence. */
export function Difference({ shot }: { shot: Screenshot }) {
  const [shown, spoken] = [describeDifference(shot), describeDifferenceSpoken(shot)];
  if (shown === spoken) return <span>{shown}</span>;
  return (
    <span>
      <span aria-hidden="true">{shown}</span>
      <span className="hidden">{spoken}</span>
    </span>
  );
}

/** Shows the flake score of a page if it is high. */
export function Flaky({ shot }: { shot: Screenshot }) {
  const words = formatFlakeScore(shot);
  if (words === null) return null;
  return (
    <span className="flaky" data-standing="unstable" title={runTexts.flakyTitle}>
      {words}
    </span>
  );
}
