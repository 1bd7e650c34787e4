import type { ConnectedHost } from "../../../shared/contracts/code-host/connections.ts";
import { figure } from "../../../shared/text/format.ts";

/** Texts of the app and of connections to code hosts. */

/** The errors of the app's creation and of its check. */
export const APP_ERRORS = {
  notResponding: "The code host is not responding. Retry in a minute.",
  unknownState:
    "must be of an app creation that you started in the last hour and haven't completed. Create the app again",
  badCode:
    "The code host rejected the code, because it was used before or is older than an hour. Create a private key and a webhook secret in the app's settings there, or create the app again.",
  empty: "The code host returned no data about the app.",
  away: (why: string) => `The code host is not responding: ${why}`,
  fixVariables:
    "Set CODEHOST_APP_ID and CODEHOST_APP_PRIVATE_KEY to the app's own values, and check CODEHOST_API_URL.",
  rejected: (why: string) => `The code host rejects the app's id or private key. ${why}`,
};

/** The errors of connections. */
export const CONNECTION_ERRORS = {
  gone: "The repository was disconnected. Connect it again.",
  noApp: "No code-host app is configured, so this repository cannot be read.",
  tokenRejected: (host: string) =>
    `${host} rejects the token, because it was revoked, rotated, or has expired. Create an access token there, and set it in this connection.`,
  tokenRejectedThere:
    "The code host rejects the token, because it was revoked, rotated, or has expired. Create an access token there, and set it in the connection.",
  notAllowed: (why: string) => `is not allowed: ${why}. Operators can allow its host in SERVICE_ALLOW_HOSTS`,
  noUrl: "must be the address of the instance",
  noInstances: (host: string) =>
    `must be left out, because only ${host} is supported. Operators can allow the host of a proxy in SERVICE_ALLOW_HOSTS`,
  notHttps: "must start with https, because the token is sent there",
  noAnswer: (why: string) =>
    `The code host cannot be reached: ${why}. Check the address and the network of the service, and retry.`,
  rejected: (host: string) => `must be a valid token of this instance. ${host} rejects it`,
  noScope: (scopes: string) => `must have the scope api. It has: ${scopes}`,
  otherScopes: "others",
  noRole: "must have at least the role Developer in the repository",
  noWrite: "must be of a user who can write to the repository, and have the scope write:repository",
  noReadScope: "must have the scopes read:user, write:repository and write:issue",
  noPullScope: "must have the scopes repository and pullrequest",
  noRepository: (host: string) =>
    `must be a repository that the token can read. ${host} finds none with this path. Check the path and the token's rights`,
  longNames: "has a path that is too long. A run holds 100 characters before and after its last slash",
  other: (host: string, why: string) =>
    `must be the address of a ${host} instance. The request failed: ${why}`,
  unreadable: (why: string) => `must be a repository that the token can read. The request failed: ${why}`,
  connected: (repository: string) =>
    `${repository} is already connected. Change that connection, or delete it first.`,
  notRotated: "must be false, because this code host has no request that replaces a token",
  limit: (max: number) => `A team can have ${figure(max)} connections. Delete one that you don't need.`,
  remote:
    "This installation submits its runs to another one. Connect the repository there, where its runs are.",
  unknown: "unknown connection",
  badToken: "invalid token",
  badSignature: "invalid signature",
  otherProject: "The event is of another repository",
};

/** The errors of an instance's responses. */
export const API_ERRORS = {
  otherServer: (url: string, host: string, where: string, why: string | undefined) =>
    `${url} did not answer like ${host}: ${where}: ${why}`,
  answered: (host: string, status: number, said: string) =>
    `${host} answered ${status}${said === "" ? "" : `: ${said}`}`,
  noStatus: "The code host has no status of this commit.",
  manyForks: "Too many pull requests of forks are open to know whether the commit is of one.",
};

/** The names of the code hosts that teams connect. */
export const HOST_NAMES: Record<ConnectedHost, string> = {
  gitlab: "GitLab",
  gitea: "Gitea or Forgejo",
  bitbucket: "Bitbucket Cloud",
};

/** The app's description at the code host, and the purpose of each permission. */
export const APP_TEXTS = {
  pullRequests: "To read pull requests, comment on them, and open the bootstrap pull request",
  checks: "To create and update check runs",
  contents: "To read the configuration and create the bootstrap branch",
  metadata: "Required of every app",
  statuses: "To read the statuses of the deployment platform",
  deployments: "To read the deployments of other platforms",
  mergeQueues: "To check merge queues. The event *Merge group* requires it",
  issues:
    "To write replies on pull requests into the threads of reviews. The event *Issue comment* requires it",
  emailAddresses: "To match invitations by email address when users sign in",
  workflows:
    "To add the workflow to the bootstrap pull request. Without it, the pull request describes how to add it",
  description: "Checks pull requests for visual changes.",
};
