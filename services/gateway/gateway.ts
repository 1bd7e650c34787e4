import type { ServiceBroker } from "moleculer";
import type { ImageStore } from "../../shared/contracts/image-store.ts";
import type { LimitName } from "../../shared/contracts/limits.ts";
import type { Links } from "../../shared/links.ts";
import type { Authenticator } from "./authenticate.ts";
import type { LinkAccess } from "./link-access.ts";
import type { OpenApi } from "./openapi-document.ts";
import type { ProgressStreams } from "./progress-streams.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { Buckets } from "./request-buckets.ts";
import type { SavedReports } from "./saved-reports.ts";
import type { Site } from "./session-cookie.ts";
import type { TeamStreams } from "./team-streams.ts";
import type { Thumbnails } from "./thumbnails.ts";

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
