import { z } from "zod";
import { scmInput } from "../code-host/scm.ts";
import { pageUrl, text } from "../fields.ts";
import { intentInput } from "../runs/intent.ts";
import { RUN_STATUSES, runLinks } from "../runs/runs.ts";
import type { Action } from "../teams/team-actions.ts";
import type { UploadedAttachment } from "./attachments.ts";
import { fileHash } from "./file-hash.ts";
import { imageHash, uploadedScreenshot } from "./uploaded-screenshot.ts";

/** Builds: runs whose screenshots users upload. A build has the id of its run. */

/** Limits of a build. */
export const BUILD_BOUNDS = {
  /** Of a request. All requests of a build together may list as many as a run may have. */
  listed: 500,
  shards: 500,
} as const;

const shardName = text(100).describe(
  "Name of the shard that sends the screenshots, such as 3. Needed with `parallel`",
);

const screenshots = z
  .array(uploadedScreenshot)
  .max(BUILD_BOUNDS.listed)
  .describe(
    "Screenshots with the SHA-256 of their image files. The same name, environment and viewport again replaces the earlier one",
  );

/** Body of `POST /v1/builds`. */
export const createBuildBody = z
  .strictObject({
    project: text(200)
      .optional()
      .describe("Project, which is the namespace of the baselines. Default: owner/repo"),
    name: text(60)
      .regex(/^[^/#]*$/, "must not contain / or #")
      .optional()
      .describe("Name of the build, if a commit has several. Builds of each name have their own baselines"),
    branch: text(255)
      .optional()
      .describe("Branch of the build. Default: `scm.branch`, else the project's default branch"),
    baselineBranch: text(255)
      .optional()
      .describe("Branch to compare with. Default: `scm.baseBranch`, else the project's default branch"),
    scm: scmInput.optional().describe("Commit that was tested"),
    url: pageUrl.optional().describe("URL of the build or the tested site, for display"),
    threshold: z
      .number()
      .min(0)
      .max(1)
      .default(0.01)
      .describe("Share of changed pixels above which a screenshot needs review, 0–1"),
    intent: intentInput
      .optional()
      .describe("What is meant to change. The answers tell intended changes from unintended ones"),
    subset: z
      .boolean()
      .default(false)
      .describe(
        "The build has only some screenshots of the project. Those it doesn't have are not reported as removed. One shard that sets it is enough",
      ),
    parallel: z
      .strictObject({
        nonce: text(200).describe("Equal for all shards of a build, such as the id of the CI workflow"),
        total: z
          .int()
          .min(1)
          .max(BUILD_BOUNDS.shards)
          .optional()
          .describe("Number of shards. The build is complete once all of them are finalized"),
      })
      .optional()
      .describe("Set if several CI jobs upload one build. The first request creates it, the others join it"),
    shard: shardName.optional(),
    screenshots: screenshots.default([]),
  })
  .superRefine((body, context) => {
    const failure = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
    if (body.project === undefined && !body.scm) failure(["project"], "is required without scm");
    if (body.parallel && body.shard === undefined) failure(["shard"], "is required with parallel");
    if (body.scm?.missingShas && !body.scm.baseSha)
      failure(["scm", "missingShas"], "requires baseSha, because it lists the commits since baseSha");
  });

/** Body of `POST /v1/builds/:id/shards`. */
export const addShardBody = z.strictObject({
  shard: shardName.optional(),
  screenshots: screenshots.min(1),
});

/** Body of `POST /v1/builds/:id/finalize`. */
export const finalizeBuildBody = z.strictObject({
  shard: shardName
    .optional()
    .describe(
      "Shard that has uploaded everything. The build is complete once `parallel.total` shards have. Without it, the build is complete now",
    ),
});

/** A file to upload. */
const upload = z.object({
  hash: fileHash,
  method: z.literal("PUT"),
  url: z.string().describe("URL to send the bytes to"),
  headers: z.record(z.string(), z.string()).describe("Headers to send with the bytes"),
  sendKey: z
    .boolean()
    .describe("Whether the request needs the API key. If false, don't send it, because the URL is signed"),
});

/** A build, as in the responses of all its routes but the upload of an image. */
export const build = z.object({
  id: z.string().describe("Id of the build and of its run"),
  status: z.enum(RUN_STATUSES).describe("Status of the run. `queued` while screenshots are uploaded"),
  project: z.string(),
  name: z.string().nullable().describe("Name of the build"),
  open: z.boolean().describe("Whether it accepts screenshots"),
  screenshots: z.int().describe("Number of listed screenshots"),
  shards: z.object({
    total: z.int().nullable().describe("Expected number of shards. Null if unknown"),
    seen: z.int().describe("Shards that have sent something"),
    finalized: z.int(),
  }),
  uploads: z
    .array(upload)
    .describe(
      "Images that the service doesn't have yet: of those in the request, and with GET of the whole build",
    ),
  attachments: z
    .array(upload)
    .default([])
    .describe(
      "Attachments that the service wants and doesn't have. It wants those of screenshots that look like nothing approved, and of retried tests. The build can be finalized without them",
    ),
  error: z.string().nullable().describe("Why the build failed"),
  links: runLinks,
});

/** Response of `PUT /v1/builds/:id/images/:hash`. */
export const uploadedImage = z.object({
  hash: imageHash,
  width: z.int().describe("px"),
  height: z.int().describe("px"),
});

/** Returns the project of a build. Each name has its own, and so its own baselines. */
export function projectOfBuild(project: string, name: string | undefined): string {
  return name === undefined ? project : `${project}#${name}`;
}

/** Returns the project of a build's project, or the project itself. Settings are the same for all its builds. */
export function projectOfBuildBase(project: string): string {
  const at = project.lastIndexOf("#");
  return at === -1 ? project : project.slice(0, at);
}

/** Returns the name of the build that has this project. Null if it has none. */
export function buildNameOf(project: string): string | null {
  const at = project.lastIndexOf("#");
  return at === -1 ? null : project.slice(at + 1);
}

export type CreateBuild = z.infer<typeof createBuildBody>;
export type CreateBuildInput = z.input<typeof createBuildBody>;
export type AddShard = z.infer<typeof addShardBody>;
export type FinalizeBuild = z.infer<typeof finalizeBuildBody>;
export type Upload = z.infer<typeof upload>;
export type Build = z.infer<typeof build>;
export type UploadedImage = z.infer<typeof uploadedImage>;

/** A decoded image of a build. */
export interface DecodedUpload extends UploadedImage {
  /** SHA-256 of its PNG in the image store. */
  imageHash: string;
}

/** Actions of builds. */
export interface BuildActions {
  /** The caller creates the id, so that a repeated message creates one build. */
  "runs.createBuild": Action<{ id: string; body: CreateBuild; idempotencyKey?: string | undefined }, Build>;
  "runs.build": Action<{ id: string }, Build>;
  "runs.addShard": Action<{ id: string; body: AddShard }, Build>;
  "runs.finalizeBuild": Action<{ id: string; body: FinalizeBuild }, Build>;
  /** Null if the bytes are needed. */
  "runs.findUpload": Action<{ id: string; hash: string }, UploadedImage | null>;
  "runs.recordUpload": Action<{ id: string; image: DecodedUpload }, UploadedImage>;
  /** Null if the bytes are needed. */
  "runs.findAttachment": Action<{ id: string; hash: string }, UploadedAttachment | null>;
  "runs.recordAttachment": Action<{ id: string; attachment: UploadedAttachment }, UploadedAttachment>;
}
