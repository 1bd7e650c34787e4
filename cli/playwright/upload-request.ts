import type { ScreenshotFile } from "../screenshots/find-screenshots.ts";
import type { ReporterSettings } from "./settings.ts";

/** What the reporter asks its upload process to do. */
export interface UploadRequest {
  settings: ReporterSettings;
  files: ScreenshotFile[];
  shard: { current: number; total: number } | null;
  /** Whether some tests may have made fewer screenshots than usual. */
  hasFailures: boolean;
}
