import type { AdapterSettings } from "../adapters/settings.ts";

/** Settings of `withVrs` and of the reporter. */
export type ReporterSettings = AdapterSettings;

/** The options that Playwright gives to the reporter. */
export interface ReporterOptions extends ReporterSettings {
  /** Folder to which `toHaveScreenshot` writes its screenshots. */
  readonly snapshotFolder?: string;
}
