import { signInSettings } from "../../shared/contracts/teams/sign-in.ts";

/** Responses about a team's sign-in with its own provider. */
export function signInAnswers(teamId: string): [string, unknown][] {
  const service = "https://vrs.acme.test";
  const settings = signInSettings.parse({
    ...{ defaultRole: "viewer", enforced: false },
    groupRoles: [
      { group: "design", role: "reviewer" },
      { group: "platform", role: "admin" },
    ],
    provider: {
      ...{ id: teamId, own: true, name: "Acme ID", issuer: "https://id.acme.test", clientId: "vrs" },
      ...{ scopes: "openid profile email groups", groupsClaim: "groups" },
      signInUrl: `${service}/auth/oidc/${teamId}`,
      redirectUrl: `${service}/auth/oidc/${teamId}/callback`,
      backChannelLogoutUrl: `${service}/auth/oidc/${teamId}/logout`,
    },
    ...{ scimUrl: `${service}/scim/v2`, ownRedirectUrl: `${service}/auth/oidc/${teamId}/callback` },
  });
  return [[`/v1/teams/${teamId}/sign-in`, settings]];
}
