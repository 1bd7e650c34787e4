import { z } from "zod";
import { text } from "./fields.ts";

/** Of a branch that is further ahead of a pull request, nobody needs to know how it was that long ago. */
export const MISSING_SHAS_AT_MOST = 300;

const fullSha = z
  .string()
  .regex(/^([0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/, "must be a whole commit SHA in hex")
  .toLowerCase();

/** The commit of a run, and the pull request that it is of. */
export const scm = z.strictObject({
  owner: text(100),
  repo: text(100),
  sha: z.string().regex(/^[0-9a-fA-F]{7,64}$/, "must be a commit SHA in hex"),
  pr: z.int().positive().optional().describe("Number of the pull request"),
  branch: text(255).optional(),
  baseBranch: text(255).optional().describe("Branch that the pull request is to be merged into"),
  defaultBranch: text(255)
    .optional()
    .describe(
      "The repository's default branch: a new project's; one that is there follows it where an admin says so",
    ),
  baseSha: fullSha
    .nullable()
    .optional()
    .describe(
      "Merge base with the branch that is compared with; null where it was looked for and is not known",
    ),
  author: text(100).optional().describe("Whose pull request or commit it is, to be shown"),
  checkRunId: z.union([z.int().positive(), z.string().max(64)]).optional(),
});

/** `scm` of a submission: with what is of use only while baselines are chosen. */
export const scmInput = scm.extend({
  missingShas: z
    .array(fullSha)
    .max(MISSING_SHAS_AT_MOST)
    .optional()
    .describe("Every commit of that branch since `baseSha`: what was approved of these does not count"),
});

export type Scm = z.infer<typeof scm>;
