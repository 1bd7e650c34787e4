/** The exports of `vrs/playwright` for Playwright's configuration and tests. */
export type { ReporterSettings } from "./settings.ts";
export { type ScreenshotOptions, type TestPage, vrsScreenshot } from "./vrs-screenshot.ts";
export { withVrs } from "./with-vrs.ts";
