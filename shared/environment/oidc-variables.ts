import { z } from "zod";
import { httpUrl } from "./variable-kinds.ts";

/** Environment variables of the installation's OpenID Connect provider, which config.ts reads. */

/** Scopes as OAuth writes them: printable ASCII without quotes and backslashes, separated by spaces. */
const scopes = z
  .string()
  .trim()
  .max(500)
  .regex(/^[!#-[\]-~]+( +[!#-[\]-~]+)*$/, "must be scopes, separated by spaces")
  .refine(value => value.split(/ +/).includes("openid"), "must contain the scope openid");

/** Name of a claim, or the path to one, such as `realm_access.roles`. */
const claim = z
  .string()
  .trim()
  .regex(/^[^\s\p{Cc}]{1,200}$/u, "must be the name of a claim, such as groups");

export const oidcVariables = {
  SERVICE_OIDC_ISSUER: httpUrl.max(500).optional(),
  SERVICE_OIDC_CLIENT_ID: z.string().min(1).max(500).optional(),
  SERVICE_OIDC_CLIENT_SECRET: z.string().min(1).max(2000).optional(),
  SERVICE_OIDC_NAME: z
    .string()
    .trim()
    .regex(/^[^\p{Cc}]{1,60}$/u, "must have 1 to 60 characters")
    .optional(),
  SERVICE_OIDC_SCOPES: scopes.default("openid profile email"),
  SERVICE_OIDC_GROUPS_CLAIM: claim.default("groups"),
  SERVICE_OIDC_AUTO_JOIN: z.enum(["default-team", "all-teams"]).default("default-team"),
};

type Variables = z.infer<z.ZodObject<typeof oidcVariables>>;

const REQUIRED = ["SERVICE_OIDC_ISSUER", "SERVICE_OIDC_CLIENT_ID", "SERVICE_OIDC_CLIENT_SECRET"] as const;

/** Reports an incomplete client, and an issuer that is no issuer. */
export function oidcFailures(env: Variables, failure: (path: string, message: string) => void): void {
  const set = REQUIRED.filter(name => env[name] !== undefined);
  if (set.length > 0)
    for (const name of REQUIRED)
      if (env[name] === undefined) failure(name, `must be set together with ${set.join(" and ")}`);
  const issuer = env.SERVICE_OIDC_ISSUER === undefined ? null : new URL(env.SERVICE_OIDC_ISSUER);
  if (issuer && (issuer.search !== "" || issuer.hash !== "" || issuer.username !== ""))
    failure("SERVICE_OIDC_ISSUER", "must be a URL without a query, a fragment and credentials");
}

/** The client of an OpenID Connect provider. */
export interface OidcClient {
  /** The name on the sign-in button. */
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Separated by spaces. */
  scopes: string;
  /** The claim with the user's groups. */
  groupsClaim: string;
  /** Whether users may join any team by its rules. Only for the installation's provider. */
  joinsAllTeams?: boolean;
}

/** Returns the installation's provider, or null without one. */
export function oidcSettings(env: Variables): OidcClient | null {
  const {
    SERVICE_OIDC_ISSUER: issuer,
    SERVICE_OIDC_CLIENT_ID: clientId,
    SERVICE_OIDC_CLIENT_SECRET: clientSecret,
  } = env;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  return {
    name: env.SERVICE_OIDC_NAME ?? new URL(issuer).host,
    ...{ issuer, clientId, clientSecret },
    scopes: env.SERVICE_OIDC_SCOPES,
    groupsClaim: env.SERVICE_OIDC_GROUPS_CLAIM,
    joinsAllTeams: env.SERVICE_OIDC_AUTO_JOIN === "all-teams",
  };
}
