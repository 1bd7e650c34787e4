import { REPORT_PATH } from "../corpus/serve-corpus.ts";
import { applyChange } from "./in-page/apply-change.ts";
import { listElements } from "./in-page/list-elements.ts";
import type { PageChange } from "./page-change.ts";

/** Returns the script that records a page's elements, to be appended to its source. */
export function listingScript(): string {
  return `<script>(${listElements})();${REMOVE_SCRIPT}</script>`;
}

/** Returns the script that changes a page, to be appended to its source. It reports whether it could. */
export function changingScript(change: PageChange): string {
  // In a script, only a < could end it early.
  const json = JSON.stringify(change).replaceAll("<", "\\u003c");
  return `<script>navigator.sendBeacon(location.origin + "${REPORT_PATH}?" + (${applyChange})(${json}));${REMOVE_SCRIPT}</script>`;
}

/** The page's own selectors must not match an additional element. */
const REMOVE_SCRIPT = "document.currentScript.remove();";
