/** The exports of `vrs/webdriverio` for WebdriverIO's configuration. */
export type { AdapterSettings } from "../adapters/settings.ts";
export type { WebdriverScreenshotOptions } from "./vrs-screenshot.ts";
export { VrsService } from "./vrs-service.ts";
