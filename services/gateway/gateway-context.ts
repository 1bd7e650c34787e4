import type { ServiceBroker } from "moleculer";
import type { ImageStore } from "../../shared/contracts/image-store.ts";
import type { LimitName } from "../../shared/contracts/limits.ts";
import type { Links } from "../../shared/links/links.ts";
import type { Authenticator } from "./auth/authenticate.ts";
import type { LinkAccess } from "./auth/link-access.ts";
import type { RateLimit } from "./auth/rate-limit.ts";
import type { Buckets } from "./auth/request-buckets.ts";
import type { Site } from "./auth/session-cookie.ts";
import type { Deliveries } from "./handlers/deliveries.ts";
import type { OpenedReports } from "./handlers/opened-reports.ts";
import type { SavedReports } from "./handlers/saved-reports.ts";
import type { Thumbnails } from "./handlers/thumbnails.ts";
import type { ArchiveUploads } from "./handlers/uploads/archive-uploads.ts";
import type { Uploads } from "./handlers/uploads/uploads.ts";
import type { OpenApi } from "./openapi/openapi-document.ts";
import type { ProgressStreams } from "./streams/progress-streams.ts";
import type { TeamStreams } from "./streams/team-streams.ts";
import type { Tunnels } from "./tunnels/tunnels.ts";

/** The dependencies of the gateway's handlers. */
export interface Gateway {
  broker: ServiceBroker;
  images: ImageStore;
  thumbnails: Thumbnails;
  /** Reads uploaded images. */
  uploads: Uploads;
  /** Receives uploaded archives. */
  archives: ArchiveUploads;
  /** Files of archives by their SHA-256. */
  archiveFiles: ImageStore;
  authenticator: Authenticator;
  /** The buckets that this gateway holds for all gateways. */
  buckets: Record<LimitName, Buckets>;
  rateLimit: RateLimit;
  /** Attempts to sign in through the code host, by address. */
  signInLimit: RateLimit;
  /** Sign-ins with a key, by key. */
  keySignInLimit: RateLimit;
  /** Exchanges of CI jobs' tokens, by address. */
  exchangeLimit: RateLimit;
  /** Reads of status pages, badges and shared reports, by address. */
  publicLimit: RateLimit;
  site: Site;
  progress: ProgressStreams;
  teamStreams: TeamStreams;
  /** Tunnels to local applications. */
  tunnels: Tunnels;
  /** Receives webhook deliveries. */
  deliveries: Deliveries;
  /** Limits reports that are being opened. */
  opened: OpenedReports;
  /** Reports that are being exported or downloaded. */
  saved: SavedReports;
  /** Names of the routes that this gateway serves. */
  serves: ReadonlySet<string>;
  /** OpenAPI document of the routes that this gateway serves. */
  openApi: OpenApi;
  /** Rules of image links. */
  linkAccess: LinkAccess;
  /** Checks signed links. The runs service provides the key once. */
  links(): Promise<Links>;
}
