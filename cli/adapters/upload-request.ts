import type { ScreenshotFile } from "../screenshots/find-screenshots.ts";
import type { AdapterSettings } from "./settings.ts";

/** What an adapter asks its upload process to do. */
export interface UploadRequest {
  settings: AdapterSettings;
  files: ScreenshotFile[];
  /** As `--parallel` of `vrs upload`. Null for the whole build. */
  shard: string | null;
  /** Whether some tests may have made fewer screenshots than usual. */
  hasFailures: boolean;
}
