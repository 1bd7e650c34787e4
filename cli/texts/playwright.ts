/** `vrs/playwright`. */
import { count } from "../../shared/text/format.ts";

export const PLAYWRIGHT_TEXTS = {
  none: "vrs: the tests made no screenshots. Nothing was uploaded.",
  interrupted: "vrs: the tests were interrupted. Nothing was uploaded.",
  uploading: (screenshots: number) => `vrs: uploading ${count(screenshots, "screenshot")} of the tests`,
  retried: (screenshots: number) =>
    `vrs: ${count(screenshots, "screenshot")} of retried tests. The last attempt counts.`,
  incomplete: "vrs: some tests failed, so no missing screenshot is reported as removed.",
  sent: (screenshots: number, url: string) => `vrs: sent ${count(screenshots, "screenshot")} to ${url}`,
  badName: (name: string, why: string) => `vrs: the screenshot "${name}" was skipped. Its name ${why}.`,
};

export const PLAYWRIGHT_ERRORS = {
  noPage: "vrsScreenshot needs the page of the test as its first argument.",
  noTest: "vrsScreenshot works in tests of Playwright's own runner only.",
  badName: (name: string, why: string) => `The screenshot name "${name}" ${why}.`,
  noLocator: "The element of a screenshot must be a selector or a locator.",
};
