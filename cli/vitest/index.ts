/** The exports of `vrs/vitest` for Vitest's configuration. */
export type { AdapterSettings } from "../adapters/settings.ts";
export { type VrsPlugin, vrs } from "./plugin.ts";
export type { VitestScreenshotOptions, VrsCommands } from "./vrs-screenshot.ts";
