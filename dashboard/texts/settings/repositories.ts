import type { ConnectedHost } from "../../../shared/contracts/code-host/connections.ts";

/** Texts of the page about the team's connected repositories. */
export const repositoryTexts = {
  title: "Repositories",
  about:
    "Connect repositories of GitLab, Gitea, Forgejo or Bitbucket. vrs then checks their merge and pull requests. Repositories of GitHub use the code-host app instead.",
  forAdmins: (team: string) => `Only admins of ${team} can connect repositories.`,
  connect: "Connect repository",
  empty: "No repositories are connected. Connect one to check its merge or pull requests.",

  host: "Code host",
  hosts: {
    gitlab: "GitLab",
    gitea: "Gitea or Forgejo",
    bitbucket: "Bitbucket Cloud",
  } satisfies Record<ConnectedHost, string>,
  url: "Address of the instance",
  /** Null for a code host that has only one address. */
  urlField: {
    gitlab: { placeholder: "https://gitlab.com", hint: "Leave it empty for GitLab.com.", isRequired: false },
    gitea: { placeholder: "https://git.example.com", hint: "", isRequired: true },
    bitbucket: null,
  } satisfies Record<ConnectedHost, { placeholder: string; hint: string; isRequired: boolean } | null>,
  repository: "Repository",
  repositoryPlaceholder: {
    gitlab: "group/project",
    gitea: "owner/repository",
    bitbucket: "workspace/repository",
  } satisfies Record<ConnectedHost, string>,
  token: "Access token",
  tokenHint: {
    gitlab:
      "A project or group access token with the scope api and the role Developer. With Maintainer, vrs creates the webhook.",
    gitea: "With read and write access to repository and issue, and read access to user.",
    bitbucket:
      "A repository, project or workspace access token that can read repositories and pull requests. With Webhooks, vrs creates the webhook. With Write, it proposes a configuration.",
  } satisfies Record<ConnectedHost, string>,
  project: "Project (optional)",
  projectHint: "Project of its runs. By default, the path of the repository.",
  bootstrap: "Propose a configuration if the repository has none",
  rotates: "Replace the token before it expires",
  rotatesHint: "GitLab revokes the old token at once, so don't use it elsewhere.",
  save: "Connect repository",

  statuses: { connected: "Connected", refused: "Token rejected", silent: "No webhook" },
  facts: "{host} · project {project} · connected {time}",
  lastEvent: "Last event {time}.",
  noEvent: "No event has arrived yet.",
  expires: (date: string) => `The token expires on ${date}.`,
  rotatesItself: (date: string) => `The token expires on ${date}. vrs replaces it before that.`,
  noWebhook:
    "vrs could not create the webhook. Create it at the code host with this URL. Rotate the secret to get its value.",

  setToken: "Replace token",
  setTokenTitle: "Replace the access token",
  setTokenAbout: (repository: string) =>
    `Create a new token at the code host, and enter it here. Checks of ${repository} then continue.`,
  saveToken: "Replace token",
  rotate: "Rotate webhook secret",
  rotateTitle: "Rotate the webhook's secret?",
  rotateAbout:
    "You get a new secret, and the current one stops working. vrs changes webhooks that it created itself.",
  disconnect: "Disconnect",
  disconnectTitle: "Disconnect this repository?",
  disconnectAbout:
    "Its merge and pull requests get no more checks, and the webhook that vrs created is deleted. Runs and baselines stay.",

  secretTitle: "Webhook of the repository",
  secretCreated: "vrs created the webhook. You need its secret only if you create the webhook again.",
  secretAbout:
    "Create a webhook at the code host with this URL and this secret. Copy the secret now. It is shown only once.",
  secretUrl: "URL",
  secret: "Secret",
} as const;
