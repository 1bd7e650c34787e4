import { z } from "zod";
import { link, list, pageUrl, text, time } from "../fields.ts";
import type { Delivery, DeliveryAnswer } from "../platform/delivery.ts";
import type { Action } from "../teams/team-actions.ts";

/** Requests and responses of `/v1/connections`. */

export const CONNECTIONS_PER_TEAM = 100;

/** The longest name of a group or repository in a run. */
const MAX_NAME_CHARS = 100;

const instance = pageUrl
  .refine(value => !/[?#]/.test(value), "must be the instance's address, such as https://gitlab.example.com")
  // One spelling, so that connections with the same token get the same new one.
  .transform(value => new URL(value).href.replace(/\/+$/, ""));

/** `group/project`, as in the URL of its page. */
const repositoryPath = z
  .string()
  .trim()
  .regex(
    /^(?!\.{1,2}\/)[\w.-]+(\/(?!\.{1,2}(\/|$))[\w.-]+)+$/,
    "must be the path of the repository, such as group/project",
  )
  .max(2 * MAX_NAME_CHARS)
  .refine(
    path =>
      path.lastIndexOf("/") <= MAX_NAME_CHARS && path.length - path.lastIndexOf("/") <= MAX_NAME_CHARS + 1,
    `must have at most ${MAX_NAME_CHARS} characters before and after its last slash`,
  );

const token = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{8,500}$/, "must be an access token, without spaces");

const settings = {
  project: text(200).describe("Project of its runs. Default: the path of the repository"),
  token: token.describe(
    "GitLab: project or group access token with the scope `api` and the role Developer or higher. Gitea: access token with the scopes `read:user`, `write:repository` and `write:issue`. Bitbucket: repository, project or workspace access token with the scopes `repository` and `pullrequest`",
  ),
  rotatesToken: z
    .boolean()
    .describe("Whether the service replaces the token before it expires. Don't use the token elsewhere then"),
};

/** The code hosts that teams connect with an access token. */
const CONNECTED_HOSTS = ["gitlab", "gitea", "bitbucket"] as const;
export type ConnectedHost = (typeof CONNECTED_HOSTS)[number];

const host = z.enum(CONNECTED_HOSTS).describe("`gitea` is Forgejo too. `bitbucket` is Bitbucket Cloud");

/** What the requests about a code host have to say. */
const RULES: Record<ConnectedHost, { needsUrl: boolean; hasNestedPaths: boolean; replacesTokens: boolean }> =
  {
    gitlab: { needsUrl: false, hasNestedPaths: true, replacesTokens: true },
    gitea: { needsUrl: true, hasNestedPaths: false, replacesTokens: false },
    bitbucket: { needsUrl: false, hasNestedPaths: false, replacesTokens: false },
  };

/** Body of `POST /v1/connections`. */
export const connectBody = z
  .strictObject({
    host,
    url: instance
      .optional()
      .describe(
        "Address of the instance. Default for GitLab: `https://gitlab.com`. Leave it out for Bitbucket",
      ),
    repository: repositoryPath.describe("Path of the repository, such as `group/project`"),
    project: settings.project.optional(),
    token: settings.token,
    rotatesToken: settings.rotatesToken.default(false),
    bootstrap: z
      .boolean()
      .default(true)
      .describe(
        "Whether the service opens one merge request with a configuration, if the repository has none",
      ),
  })
  .superRefine(refuseForHost);

function refuseForHost(
  {
    host,
    url,
    repository,
    rotatesToken,
  }: { host: ConnectedHost; url?: string | undefined; repository: string; rotatesToken: boolean },
  context: z.RefinementCtx,
): void {
  const { needsUrl, hasNestedPaths, replacesTokens } = RULES[host];
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  if (needsUrl && url === undefined) refuse("url", "must be the address of the instance");
  if (!hasNestedPaths && repository.split("/").length !== 2)
    refuse("repository", "must be the owner and the name of the repository");
  if (rotatesToken && !replacesTokens)
    refuse("rotatesToken", "must be false, because this code host has no request that replaces a token");
}

/** Body of `PATCH /v1/connections/:id`. */
export const changeConnectionBody = z
  .strictObject(settings)
  .partial()
  .refine(body => Object.keys(body).length > 0, "must contain at least one field to change");

export const connectionView = z.object({
  id: z.string(),
  host,
  url: z.string().describe("Address of the instance"),
  repository: z.string().describe("Path of the repository"),
  project: z.string().describe("Project of its runs"),
  state: z
    .enum(["connected", "refused"])
    .describe("`refused`: the code host rejects the token. Set a new one"),
  error: z.string().nullable().describe("What to do about a refused token"),
  tokenExpiresAt: z.iso.date().nullable().describe("Null for a token that never expires"),
  rotatesToken: z.boolean(),
  webhookUrl: link.describe("URL that receives the repository's events"),
  hasWebhook: z
    .boolean()
    .describe("Whether the service created the webhook. If not, create it with this URL and the secret"),
  lastEventAt: time.nullable().describe("Time of the latest event. Null before the first"),
  createdBy: z.string(),
  createdAt: time,
});

export const connectionList = list(connectionView);

/** The secret is shown only when it is made. */
export const connectionWithSecret = connectionView.extend({
  webhookSecret: z.string().describe("Secret token of the webhook. It is shown only once"),
});

export type Connect = z.infer<typeof connectBody>;
export type ChangeConnection = z.infer<typeof changeConnectionBody>;
export type ConnectionView = z.infer<typeof connectionView>;
export type ConnectionList = z.infer<typeof connectionList>;
export type ConnectionWithSecret = z.infer<typeof connectionWithSecret>;

/** Actions for the connections of a team. */
export interface ConnectionActions {
  "scm.connections": Action<Record<string, never>, ConnectionList>;
  "scm.connect": Action<Connect, ConnectionWithSecret>;
  "scm.connection": Action<{ id: string }, ConnectionView>;
  "scm.changeConnection": Action<{ id: string; body: ChangeConnection }, ConnectionView>;
  "scm.rotateConnectionSecret": Action<{ id: string }, ConnectionWithSecret>;
  "scm.disconnect": Action<{ id: string }, null>;
  /** Receives an event of a connected repository. */
  "scm.receiveConnected": Action<Delivery, DeliveryAnswer>;
}
