import { z } from "zod";
import { BOUNDS } from "../contracts/capture/bounds.ts";
import { routeSchema } from "../contracts/capture/capture-options.ts";
import { commaList, httpUrl } from "./variable-kinds.ts";

/** Environment variables of the deployment platform, which config.ts reads. */

/** Host names with at least two parts. A single part would allow a whole top-level domain. */
const domains = commaList.pipe(
  z.array(
    z
      .string()
      .toLowerCase()
      .max(253)
      .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, "must be domains such as previews.example, separated by commas"),
  ),
);

const headerName = z
  .string()
  .toLowerCase()
  .regex(/^[a-z0-9-]{1,100}$/, "must be the name of a header");

/** Validated at the start, so that an invalid one doesn't fail every deployment. */
const routes = commaList.pipe(z.array(routeSchema).max(BOUNDS.routes));

const secret = z.string().min(1).max(1000);

export const platformVariables = {
  SERVICE_API_URL: httpUrl.optional(),
  SERVICE_API_KEY: z
    .string()
    .max(200)
    .regex(/^[\x21-\x7e]+$/, "must be an API key")
    .optional(),
  SERVICE_ROUTES: routes.default([]),
  SERVICE_ROUTES_FROM_CONFIG: z.enum(["0", "1"]).default("0"),
  PLATFORM_TEAMS: z.enum(["per-installation", "shared"]).default("per-installation"),
  PLATFORM_INTEGRATION_NAME: z
    .string()
    .trim()
    .regex(/^[^\p{Cc}]{1,100}$/u, "must have at most 100 characters")
    .default("platform"),
  PLATFORM_CLIENT_ID: z.string().min(1).max(1000).optional(),
  PLATFORM_CLIENT_SECRET: secret.optional(),
  PLATFORM_AUTHORIZE_URL: httpUrl.optional(),
  PLATFORM_TOKEN_URL: httpUrl.optional(),
  PLATFORM_API_URL: httpUrl.optional(),
  PLATFORM_PREVIEW_DOMAIN: domains.default([]),
  PLATFORM_SIGNATURE_HEADER: headerName.default("x-platform-signature"),
  PLATFORM_META_PREFIX: z
    .string()
    .regex(/^\w{1,50}$/, "must be letters and digits")
    .default("scm"),
  PLATFORM_UNINSTALL_EVENT: z
    .string()
    .regex(/^[\x21-\x7e]{1,100}$/, "must be the name of an event")
    .default("integration-configuration.removed"),
};

type Variables = z.infer<z.ZodObject<typeof platformVariables>>;

/** The routes that are captured of a preview. */
export interface PreviewRoutes {
  /** Empty for `/`, or the routes of the repository's configuration. */
  routes: string[];
  /** Whether its configuration sets the routes if there are none. */
  routesFromConfig: boolean;
}

/** Settings of the deployment platform's integration. */
export interface PlatformSettings extends PreviewRoutes {
  /** Its name in `/health`. */
  name: string;
  /** The Cloud API's URL, even without a key. */
  apiUrl: string | null;
  /** Whether each installation has its own team, or all share the key's team. */
  teams: "per-installation" | "shared";
  /** The Cloud API that receives runs, and its key. Null if either is missing. */
  api: { baseUrl: string; apiKey: string } | null;
  /** The secret that signs deliveries. Null rejects them all. */
  clientSecret: string | null;
  /** Null if the platform's users can't install the integration. */
  oauth: PlatformOauth | null;
  /** Domains of the platform's own previews. */
  previewDomains: string[];
  /** In lower case. */
  signatureHeader: string;
  /** Prefix of the names of a deployment's git metadata. */
  metaPrefix: string;
  /** Type of the event of an uninstalled integration. */
  uninstallEvent: string;
}

/** The integration's OAuth client at the platform. */
export interface PlatformOauth {
  clientId: string;
  clientSecret: string;
  authorizeUrl: string;
  tokenUrl: string;
  apiUrl: string;
}

/** Returns the variables as settings. */
export function platformSettings(env: Variables): PlatformSettings {
  const { SERVICE_API_URL: baseUrl, SERVICE_API_KEY: apiKey } = env;
  return {
    name: env.PLATFORM_INTEGRATION_NAME,
    apiUrl: baseUrl ?? null,
    teams: env.PLATFORM_TEAMS,
    api: baseUrl !== undefined && apiKey !== undefined ? { baseUrl, apiKey } : null,
    routes: env.SERVICE_ROUTES,
    routesFromConfig: env.SERVICE_ROUTES_FROM_CONFIG === "1",
    clientSecret: env.PLATFORM_CLIENT_SECRET ?? null,
    oauth: oauthOf(env),
    previewDomains: env.PLATFORM_PREVIEW_DOMAIN,
    signatureHeader: env.PLATFORM_SIGNATURE_HEADER,
    metaPrefix: env.PLATFORM_META_PREFIX,
    uninstallEvent: env.PLATFORM_UNINSTALL_EVENT,
  };
}

function oauthOf({
  PLATFORM_CLIENT_ID: clientId,
  PLATFORM_CLIENT_SECRET: clientSecret,
  PLATFORM_AUTHORIZE_URL: authorizeUrl,
  PLATFORM_TOKEN_URL: tokenUrl,
  PLATFORM_API_URL: apiUrl,
}: Variables): PlatformOauth | null {
  if (!clientId || !clientSecret || !authorizeUrl || !tokenUrl || !apiUrl) return null;
  return { clientId, clientSecret, authorizeUrl, tokenUrl, apiUrl };
}
