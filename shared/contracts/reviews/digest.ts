import type { Regression } from "../monitors/alert-actions.ts";
import type { Conclusion } from "../runs/runs.ts";
import type { Action } from "../teams/team-actions.ts";

/** A comment in a digest. */
export interface DigestComment {
  id: string;
  by: string;
  text: string;
  screenshotId: string | null;
  /** The page that it is on, such as `/pricing at 1280 px`. Null for the run. */
  page: string | null;
}

/** What a digest says about a run, read when it is sent. */
export interface DigestFacts {
  run: {
    id: string;
    project: string;
    branch: string | null;
    pullRequest: number | null;
    sha: string | null;
    message: string | null;
    author: string | null;
    conclusion: Conclusion | null;
  };
  /** Screenshots that need review; 0 if a newer run replaces it. */
  open: number;
  /** The open or decided screenshots with the largest changes, at most 3. */
  regressions: (Regression & { id: string })[];
  /** The deciding reviewers, and the last reason. */
  decision: { by: string[]; reason: string | null };
  /** The comments that still exist, oldest first. */
  comments: DigestComment[];
}

/** Action of the runs service for digests. */
export interface DigestActions {
  /** Null if the run was deleted. */
  "runs.digest": Action<{ teamId: string; runId: string; commentIds: string[] }, DigestFacts | null>;
}
