import type { Diagnostics } from "../../shared/contracts/capture/diagnostics.ts";
import {
  countDropped,
  countNew,
  describeDiagnostics,
  listDiagnostics,
} from "../../shared/report/describe-diagnostics.ts";
import { screenshotTexts } from "../texts/review.ts";
import { DiagnosticsList } from "../ui/diagnostics-list.tsx";
import { SCREENSHOT_PANELS } from "./history-panel.tsx";

/** Shows what went wrong in the page, above the screenshot. */
export function DiagnosticsPanel({ diagnostics }: { diagnostics: Diagnostics }) {
  const entries = listDiagnostics(diagnostics).length + countDropped(diagnostics);
  return (
    <details className="viewer-facts shot-diagnostics" name={SCREENSHOT_PANELS}>
      <summary title={describeDiagnostics(diagnostics)}>
        {screenshotTexts.diagnostics(entries, countNew(diagnostics))}
      </summary>
      <div className="diagnostics">
        <DiagnosticsList diagnostics={diagnostics} />
      </div>
    </details>
  );
}
