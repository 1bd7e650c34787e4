import type { Environment } from "../../contracts/capture/environment.ts";
import type { RenderingFingerprint } from "../../contracts/capture/rendering.ts";
import type { ArchiveSite } from "../archive/archive-site.ts";
import type { CaptureLimits } from "../capture-limits.ts";
import type { ClientCertificate } from "../sessions/client-certificates.ts";
import type { KeptPreview } from "../story/story-request.ts";
import type { SiteTunnel } from "../tunnel/site-tunnel.ts";
import type { Egress } from "./pooled-browser.ts";

/** Options in addition to the egress options, which say which addresses pages may load and how names are resolved. */
export interface BrowserPoolOptions extends Egress {
  chromiumPath: string | null;
  /** A Firefox to use in place of Playwright's own. */
  firefoxPath?: string | null;
  /** Where the browser of the npm package is unpacked. */
  cacheDir: string;
  /** Whether only that browser is used, whose build the lock file names. */
  isLocked?: boolean;
  limits?: Partial<CaptureLimits>;
  /**
   * Returns why pages may not be rendered without Chromium's sandbox now, or null when they may. By default, they may.
   */
  whyNotUnsandboxed?: () => Promise<string | null>;
  /** Called once with each message that operators should read about the browser. */
  warn?: (message: string) => void;
  /** Called with how each browser draws. Without it, no browser is measured. */
  onMeasured?: (rendering: RenderingFingerprint) => void;
}

/** What a lease is for. */
export interface LeaseOptions {
  environment?: Environment;
  tunnel?: SiteTunnel | undefined;
  archive?: ArchiveSite | undefined;
  certificates?: readonly ClientCertificate[];
  audience?: string;
  alone?: boolean;
  isFresh?: boolean;
  preview?: KeptPreview | null;
  signal?: AbortSignal;
}
