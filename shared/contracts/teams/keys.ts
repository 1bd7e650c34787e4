import { z } from "zod";
import { list, text, time } from "../fields.ts";
import { ROLES } from "../runs/runs.ts";

/** Requests and responses of `/v1/keys`. */

/** What keys can be used for. */
const KEY_SCOPES = ["team", "upload", "scim"] as const;

/** Body of `POST /v1/keys`. */
export const createKeyBody = z
  .strictObject({
    name: text(100),
    role: z.enum(ROLES).default("reviewer"),
    scope: z
      .enum(KEY_SCOPES)
      .default("team")
      .describe(
        "`team`: everything that the role allows. `upload`: only to upload builds and archives to `project`, and to get their results. `scim`: only to provision users and groups by SCIM 2.0",
      ),
    project: text(200).optional().describe("Project of the scope `upload`. Its named builds belong to it"),
    expiresInDays: z
      .int()
      .min(1)
      .max(3650)
      .optional()
      .describe("Days until the key expires. Default: it never expires"),
    repository: text(200)
      .regex(/^[^/\s]+\/[^/\s]+$/, "must be owner/repo")
      .optional()
      .describe(
        "Repository, as owner/repo, whose GitHub Actions workflows get keys with these rights from `POST /v1/upload-keys`. Requires the scope `upload`",
      ),
  })
  .superRefine(({ scope, role, project, repository }, context) => {
    const failure = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (scope === "upload" && project === undefined) failure("project", "is required with scope upload");
    if (scope === "upload" && role !== "reviewer") failure("role", "must be reviewer with scope upload");
    if (scope !== "upload" && project !== undefined) failure("project", "requires scope upload");
    if (scope !== "upload" && repository !== undefined) failure("repository", "requires scope upload");
  });

const keyView = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  scope: z.enum(KEY_SCOPES),
  project: z.string().nullable().describe("Project of the scope `upload`, else null"),
  repository: z
    .string()
    .nullable()
    .describe("Repository whose GitHub Actions workflows get keys with these rights"),
  tail: z.string().describe("Last four characters of the API key"),
  createdAt: time,
  lastUsedAt: time.nullable().describe("Last use, to the minute"),
  expiresAt: time
    .nullable()
    .describe("When requests with the key begin to fail. Null for a key that never expires"),
});

export const createdKey = keyView.extend({
  key: z.string().describe("The API key. It is shown only once"),
});

/** Body of `POST /v1/upload-keys`. */
export const exchangeTokenBody = z.strictObject({
  token: text(10_000).describe(
    "OIDC token of the CI job, with the public URL of the service as its audience",
  ),
  project: text(200).optional().describe("Project to upload to. Default: the repository of the token"),
  team: text(100).optional().describe("Id of the team. Default: the service's default team"),
});

export const exchangedKey = z.object({
  key: z.string().describe("API key with the scope `upload`"),
  project: z.string(),
  expiresAt: time,
});

export const keyList = list(keyView);

/** A key to create. A key with a project can only upload to it. */
export type CreateKey = Omit<z.infer<typeof createKeyBody>, "scope"> &
  Partial<Pick<z.infer<typeof createKeyBody>, "scope">>;
export type CreateKeyInput = z.input<typeof createKeyBody>;
export type ExchangeToken = z.infer<typeof exchangeTokenBody>;
export type ExchangedKey = z.infer<typeof exchangedKey>;
export type KeyView = z.infer<typeof keyView>;
export type CreatedKey = z.infer<typeof createdKey>;
export type KeyList = z.infer<typeof keyList>;
