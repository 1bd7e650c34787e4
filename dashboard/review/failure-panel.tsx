import type { Screenshot } from "../api/screenshot.ts";
import { FailureImage } from "../run/remarks.tsx";
import { screenshotTexts } from "../texts/review.ts";
import { SCREENSHOT_PANELS } from "./history-panel.tsx";

/** Shows the page at its failure, above the screenshot. */
export function FailurePanel({ shot }: { shot: Screenshot }) {
  return (
    <details className="viewer-facts shot-failure" name={SCREENSHOT_PANELS}>
      <summary>{screenshotTexts.failure}</summary>
      <div>
        <FailureImage shot={shot} />
      </div>
    </details>
  );
}
