import type { AdapterSettings } from "../adapters/settings.ts";

/** Settings of `withVrs` and of the reporter. */
export interface ReporterSettings extends AdapterSettings {
  /**
   * Whether to upload the traces, HAR files and texts of tests whose screenshots need review, or that were retried.
   * Default: true.
   */
  readonly attachments?: boolean;
}

/** The options that Playwright gives to the reporter. */
export interface ReporterOptions extends ReporterSettings {
  /** Folder to which `toHaveScreenshot` writes its screenshots. */
  readonly snapshotFolder?: string;
}
