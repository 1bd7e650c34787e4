/** Texts of the frame, the page for unknown URLs, and the sign-in page. */
export const shellTexts = {
  skipToContent: "Skip to content",
  brand: "vrs",
  brandLabel: "vrs home",
  navigation: "Main",
  pages: {
    inbox: "Inbox",
    runs: "Runs",
    baselines: "Baselines",
    monitors: "Monitors",
    settings: "Settings",
  },
  settingsNavigation: "Settings",
  settings: {
    team: "Team",
    "sign-in": "Sign-in",
    keys: "API keys",
    notifications: "Notifications",
    repositories: "Repositories",
    webhooks: "Webhooks",
    transfer: "Export and import",
    usage: "Usage",
    "code-host": "Code host",
    nodes: "Nodes",
    account: "Your account",
  },
  docs: "Docs",
  team: "Team",
  signOut: "Sign out",
  noSession: "You are signed out. Sign in again.",
  signOutFailed: (why: string) => `You are still signed in. ${why}`,

  notFound: "Page not found",
  notFoundWhy: "The URL may be incomplete or out of date. Check it, or go to another page.",
  goToRuns: "Go to runs",
} as const;

export const signInTexts = {
  title: "Sign in",
  heading: "Sign in to vrs",
  withProvider: (name: string) => `Sign in with ${name}`,
  withCodeHost: "Sign in with your code host",
  again: "Sign in again",
  or: "or",
  apiKey: "API key",
  apiKeyHint: "The key is sent once to start a session. You can end the session at any time.",
  apiKeyMissing: "Enter an API key.",
  withApiKey: "Sign in with API key",
  firstKey:
    "The service prints the first API key when it starts for the first time. Team admins create more keys on the API keys page. {docs}",
  docs: "API documentation",
} as const;
