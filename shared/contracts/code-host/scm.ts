import { z } from "zod";
import { text } from "../fields.ts";

/** The history of a branch that is further ahead does not help to choose a baseline. */
export const MISSING_SHAS_AT_MOST = 300;

/** The code host lists no more. */
export const CHANGED_FILES_AT_MOST = 300;

const fullSha = z
  .string()
  .regex(/^([0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/, "must be a full commit SHA in hex")
  .toLowerCase();

/** The commit of a run, and its pull request. */
export const scm = z.strictObject({
  owner: text(100),
  repo: text(100),
  sha: z.string().regex(/^[0-9a-fA-F]{7,64}$/, "must be a commit SHA in hex"),
  pr: z.int().positive().optional().describe("Pull request number"),
  branch: text(255).optional(),
  baseBranch: text(255).optional().describe("Target branch of the pull request"),
  defaultBranch: text(255)
    .optional()
    .describe(
      "Default branch of the repository. It becomes the default branch of a new project. An existing project changes only if the API key is an admin's",
    ),
  baseSha: fullSha
    .nullable()
    .optional()
    .describe("Merge base with the baseline branch. Null if it could not be found"),
  fromFork: z
    .boolean()
    .optional()
    .describe("Whether the pull request comes from a fork. Its runs get no secrets of the project"),
  author: text(100).optional().describe("Author of the pull request or commit, for display"),
  checkRunId: z.union([z.int().positive(), z.string().max(64)]).optional(),
});

/** The commit of a submission, with fields that only the choice of baselines needs. */
export const scmInput = scm.extend({
  missingShas: z
    .array(fullSha)
    .max(MISSING_SHAS_AT_MOST)
    .optional()
    .describe(
      "All commits of the base branch since `baseSha`. Baselines that these commits approved don't count",
    ),
  changedFiles: z
    .array(text(300))
    .max(CHANGED_FILES_AT_MOST)
    .optional()
    .describe("Paths that changed since `baseSha`. Causes of changes name the matching ones"),
});

export type Scm = z.infer<typeof scm>;
export type ScmInput = z.infer<typeof scmInput>;
