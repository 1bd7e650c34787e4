/** Texts of the page about a team's sign-in. */
export const signInSettingsTexts = {
  title: "Sign-in",
  about: "Choose how members sign in, and which role the groups of your identity provider get.",
  forAdmins: (team: string) => `Only admins of ${team} can change how its members sign in.`,

  provider: "Identity provider",
  noProvider:
    "No identity provider yet. Add one that supports OpenID Connect, such as Entra ID, Okta, Google, or Keycloak.",
  ofInstallation: "The operator configured this provider for the whole service.",
  issuer: "Issuer",
  client: "Client ID",
  signInUrl: "Sign-in link",
  redirectUrl: "Redirect URI",
  logoutUrl: "Back-channel logout URI",
  add: "Add provider",
  addOwn: "Use your own provider",
  edit: "Edit provider",
  remove: "Delete provider",
  removeTitle: (name: string) => `Delete “${name}”?`,
  removeAbout:
    "Members who signed in with it are signed out. They stay members, but can't sign in with it again.",
  keep: "Keep provider",
  removed: "Provider deleted.",
  saved: "Provider saved. Open the sign-in link in a private window to try it.",

  name: "Name on the button",
  namePlaceholder: "Acme ID",
  issuerPlaceholder: "https://login.example.com",
  clientId: "Client ID",
  clientSecret: "Client secret",
  keepSecret: "Leave it empty to keep the current secret.",
  scopes: "Scopes",
  groupsClaim: "Groups claim",
  register: "Register this redirect URI at the provider first:",
  save: "Save provider",

  roles: "Roles",
  rolesAbout:
    "Roles apply when a member signs in. If several groups match, the highest role counts. Members that you add by hand keep their role unless a group matches.",
  defaultRole: "Without a matching group",
  noAccess: "No access without an invitation",
  group: "Group",
  groupPlaceholder: "Name or ID, as the provider sends it",
  addGroup: "Add group",
  removeGroup: "Remove group",
  noGroups: "No groups yet. Without groups, you set the roles of members on the team page.",
  lastGroupRemoved:
    "Without groups, all members keep their roles. Remove those who should lose access on the team page.",
  enforce: "Members can only sign in with the provider",
  enforceAbout:
    "Sign-in with the code host and with API keys of members is refused. API keys still work in CI. Operators can always sign in with the bootstrap key.",
  saveRoles: "Save rules",
  rolesSaved: "Rules saved. They apply from the next sign-in.",

  provisioning: "Provisioning",
  provisioningAbout:
    "Your provider can add and remove members by SCIM 2.0. Deactivated members lose their sessions and API keys at once. Revoke tokens on the page {keys}.",
  keysLink: "API keys",
  scimUrl: "SCIM base URL",
  createToken: "Create token",
  tokenName: "SCIM provisioning",
  tokenTitle: "SCIM token",
  tokenAbout: "Copy the token now. It is shown only once. Enter it at your provider with the base URL.",

  signOutMember: "Sign out everywhere",
  signedOut: (name: string) => `${name} was signed out everywhere.`,
  managed: "managed by the identity provider",
  managedByScim: "managed by SCIM",
} as const;
