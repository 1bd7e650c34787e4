/** `vrs/playwright`. */
import { count } from "../../shared/text/format.ts";

export const PLAYWRIGHT_TEXTS = {
  none: "vrs: the tests made no screenshots. Nothing was uploaded.",
  interrupted: "vrs: the tests were interrupted. Nothing was uploaded.",
  uploading: (screenshots: number) => `vrs: uploading ${count(screenshots, "screenshot")} of the tests`,
  retried: (screenshots: number) =>
    `vrs: ${count(screenshots, "screenshot")} of retried tests. The last attempt counts.`,
  incomplete: "vrs: some tests failed, so no missing screenshot is reported as removed.",
  badName: (name: string, why: string) => `vrs: the screenshot "${name}" was skipped. Its name ${why}.`,
};

export const PLAYWRIGHT_ERRORS = {
  noPage: "vrsScreenshot needs the page of the test as its first argument.",
  noTest: "vrsScreenshot works in tests of Playwright's own runner only.",
  badName: (name: string, why: string) => `The screenshot name "${name}" ${why}.`,
  invisible: (element: string) => `The element of the screenshot is not visible: ${element}`,
  noWork: (ms: number) => `The page didn't respond within ${ms / 1000} s.`,
  unstable: (name: string, ms: number) =>
    `The page keeps changing, so "${name}" has no stable screenshot after ${ms / 1000} s. Hide or mask what changes.`,
  badSelector: (selector: string) => `The selector is invalid: ${selector}`,
};
