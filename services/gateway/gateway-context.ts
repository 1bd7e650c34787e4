import type { ServiceBroker } from "moleculer";
import type { ImageStore } from "../../shared/contracts/image-store.ts";
import type { LimitName } from "../../shared/contracts/limits.ts";
import type { Links } from "../../shared/links/links.ts";
import type { Authenticator } from "./auth/authenticate.ts";
import type { LinkAccess } from "./auth/link-access.ts";
import type { RateLimit } from "./auth/rate-limit.ts";
import type { Buckets } from "./auth/request-buckets.ts";
import type { Site } from "./auth/session-cookie.ts";
import type { SavedReports } from "./handlers/saved-reports.ts";
import type { Thumbnails } from "./handlers/thumbnails.ts";
import type { OpenApi } from "./openapi/openapi-document.ts";
import type { ProgressStreams } from "./streams/progress-streams.ts";
import type { TeamStreams } from "./streams/team-streams.ts";

/** What the edge works with. */
export interface Gateway {
  broker: ServiceBroker;
  images: ImageStore;
  thumbnails: Thumbnails;
  authenticator: Authenticator;
  /** The buckets that this gateway keeps for all of them. */
  buckets: Record<LimitName, Buckets>;
  rateLimit: RateLimit;
  /** Tries to sign in through the code host, by address. */
  signInLimit: RateLimit;
  /** Sign-ins with a key, by the key. */
  keySignInLimit: RateLimit;
  site: Site;
  progress: ProgressStreams;
  teamStreams: TeamStreams;
  /** Reports that are being put together as files, or are on their way to their readers. */
  saved: SavedReports;
  /** Names of the routes that this gateway serves. */
  serves: ReadonlySet<string>;
  /** The document of the routes that this gateway serves. */
  openApi: OpenApi;
  /** What image links must satisfy. */
  linkAccess: LinkAccess;
  /** Checks signed links; its key is the runs service's, asked for once. */
  links(): Promise<Links>;
}
