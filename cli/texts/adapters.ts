/** `vrs/vitest`, `vrs/cypress` and `vrs/webdriverio`. */
import { count } from "../../shared/text/format.ts";

export const ADAPTER_TEXTS = {
  none: "vrs: the tests made no screenshots. Nothing was uploaded.",
  uploading: (screenshots: number) => `vrs: uploading ${count(screenshots, "screenshot")} of the tests`,
  incomplete: "vrs: some tests failed, so no missing screenshot is reported as removed.",
  replaced: (name: string, earlier: string, later: string) =>
    `vrs: the screenshot "${name}" of ${later} replaces that of ${earlier}. Give one of them another name or environment.`,
  sent: (url: string) => `vrs: the screenshots are at ${url}`,
};

export const ADAPTER_ERRORS = {
  badName: (name: string, why: string) => `The screenshot name "${name}" ${why}.`,
  badOptions: (name: string, issues: readonly string[]) =>
    `The options of the screenshot "${name}" are invalid: ${issues.join(" ")}`,
  failed: "vrs: screenshots need review, or the upload failed. See the lines above.",
  needsParallel: "`nonce` is for tests on several machines. Set `parallel` too, such as 2/4 or auto.",
  noPlaywright:
    "vrsScreenshot needs the Playwright provider of Vitest. Set browser.provider to playwright().",
  noImage: (name: string) => `Cypress wrote no file for the screenshot "${name}".`,
  unstable: (name: string, timeoutMs: number) =>
    `The page of the screenshot "${name}" kept changing for ${timeoutMs} ms. Wait for its content in the test, or hide what moves.`,
};
