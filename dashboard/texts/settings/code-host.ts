/**
 * Texts of the page about the code-host app. It is for operators, so texts may name services and environment
 * variables.
 */
export const codeHostTexts = {
  about: "This app checks pull requests and comments on them.",
  notConfigured: "No app yet, so pull requests aren't checked. Create the app below.",
  webhook: "{app} sends events to {url}.",
  complete: "The app has all the permissions and events it needs.",
  checked: "Checked {time}",

  missing: "Missing permissions and events",
  missingAbout:
    "Add them in the app's settings at the code host. Then accept the new permissions where the app is installed.",
  permission: (label: string, access: string) => `Permission “${label}”: ${access}`,
  event: (label: string) => `Event “${label}”`,
  optional: "Optional",
  required: "Required",

  create: "Create the app",
  createAbout:
    "The code host asks you to confirm. It then creates the app with all the permissions and events it needs.",
  organization: "Organization at the code host",
  organizationHint: "Leave empty to create the app in your own account.",
  submit: "Create app…",

  created: "App created",
  createdAbout: "Its settings contain secrets and are shown only once. Get ready to store them.",
  showSettings: "Show settings",

  settings: (app: string) => `Settings of “${app}”`,
  settingsAbout:
    "Copy the settings now. They are shown only once. Set them as environment variables on every node that runs the scm or teams service. Then restart those nodes. Members can then sign in with the code host.",
  install: "After the restart, {link}.",
  installLink: "install the app on your repositories",
} as const;
