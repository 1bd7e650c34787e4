import { z } from "zod";
import { text } from "../fields.ts";
import { ROLES } from "../runs/runs.ts";

/** Requests and responses about sign-in by OpenID Connect. */

/** The id of the installation's own provider, which the operator configures. */
export const INSTALLATION_PROVIDER = "default";

/** Enough for every group of a large organization that has a role here. */
const MAX_GROUP_ROLES = 200;

const answered = (meaning: string) => z.string().max(2000).optional().catch(undefined).describe(meaning);

/** Query of `GET /auth/oidc/:provider`. An invalid one is ignored. */
export const providerLoginQuery = z.looseObject({
  next: answered("Path of this service to open after the sign-in"),
});

/** Query of `GET /v1/sign-in`. */
export const waysInQuery = z.strictObject({
  provider: z
    .string()
    .max(64)
    .optional()
    .describe("Id of the team whose own provider is meant. Default: the installation's"),
});

/** Response of `GET /v1/sign-in`. */
export const waysIn = z.object({
  codeHost: z
    .boolean()
    .describe("Whether users can sign in with the code host. Signing in with an API key is always possible"),
  provider: z
    .object({ id: z.string(), name: z.string() })
    .nullable()
    .describe("The OpenID Connect provider to sign in with at `/auth/oidc/:id`, else null"),
});

/** Response of `DELETE /v1/session` if the session's provider can sign the user out too. */
export const signedOut = z.object({
  signOutUrl: z.url().describe("URL to open in the browser, which ends the session at the provider"),
});

const groupRole = z.strictObject({
  group: text(300).describe("Name or id of the group, exactly as the provider sends it"),
  role: z.enum(ROLES),
});

const policy = {
  defaultRole: z
    .enum(ROLES)
    .nullable()
    .describe("Role of users of the provider without a matching group. Null: they don't join by themselves"),
  groupRoles: z
    .array(groupRole)
    .max(MAX_GROUP_ROLES)
    .describe("Roles of groups. The highest role of a user's groups counts"),
  enforced: z.boolean().describe("Whether members can only sign in with the provider"),
};

const provider = {
  name: text(60)
    .regex(/^\P{Cc}*$/u, "must not contain control characters")
    .describe("Name on the sign-in button"),
  issuer: z
    .url({ protocol: /^https?$/, error: "must be an https URL" })
    .max(500)
    .describe("Issuer of the provider. Its configuration is at `/.well-known/openid-configuration`"),
  clientId: text(500),
  scopes: text(500)
    .regex(/^[!#-[\]-~]+( +[!#-[\]-~]+)*$/, "must be scopes, separated by spaces")
    .refine(value => value.split(/ +/).includes("openid"), "must contain the scope openid")
    .describe("Requested scopes, separated by spaces"),
  groupsClaim: text(200)
    .regex(/^\S+$/, "must be the name of a claim")
    .describe("Claim with the groups, or the path to it, such as `realm_access.roles`"),
};

const SCOPES = "openid profile email";
const GROUPS_CLAIM = "groups";

/** Body of `PUT /v1/teams/:id/sign-in`. */
export const signInPolicyBody = z.strictObject({
  ...policy,
  groupRoles: policy.groupRoles.superRefine((rules, context) => {
    const groups = rules.map(({ group }) => group);
    for (const [index, group] of groups.entries())
      if (groups.indexOf(group) < index)
        context.addIssue({
          code: "custom",
          path: [index, "group"],
          message: "is a duplicate. List each group once",
        });
  }),
});

/** Body of `PUT /v1/teams/:id/provider`. */
export const teamProviderBody = z.strictObject({
  ...provider,
  scopes: provider.scopes.default(SCOPES),
  groupsClaim: provider.groupsClaim.default(GROUPS_CLAIM),
  clientSecret: text(2000)
    .optional()
    .describe(
      "Client secret. Required for a new provider and for another issuer or client. Omit it to keep it",
    ),
});

/** Response of `GET /v1/teams/:id/sign-in`. */
export const signInSettings = z.object({
  ...policy,
  provider: z
    .object({
      ...provider,
      id: z.string().describe("Id of the team, or `default` for the installation's provider"),
      own: z.boolean().describe("Whether the team configured it. Otherwise it is the installation's"),
      signInUrl: z.url().describe("Link for members to sign in with this provider"),
      redirectUrl: z.url().describe("Redirect URI to register at the provider"),
      backChannelLogoutUrl: z.url().describe("Back-channel logout URI to register at the provider"),
    })
    .nullable()
    .describe("The provider that the team's members sign in with. Null without one"),
  scimUrl: z.url().describe("Base URL of SCIM 2.0, for keys with the scope `scim`"),
  ownRedirectUrl: z.url().describe("Redirect URI to register for a provider of the team's own"),
});

/** Responses of `POST /auth/oidc/:provider/logout`. */
export const loggedOut = z.object({});
export const logoutRefusal = z.object({
  error: z.literal("invalid_request"),
  error_description: z.string(),
});

export type ProviderLoginQuery = z.infer<typeof providerLoginQuery>;
export type WaysInQuery = z.infer<typeof waysInQuery>;
export type SignedOut = z.infer<typeof signedOut>;
export type WaysIn = z.infer<typeof waysIn>;
export type GroupRole = z.infer<typeof groupRole>;
export type SignInPolicy = z.infer<typeof signInPolicyBody>;
export type TeamProvider = z.infer<typeof teamProviderBody>;
export type SignInSettings = z.infer<typeof signInSettings>;
