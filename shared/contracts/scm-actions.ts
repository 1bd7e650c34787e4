import type { Delivery, DeliveryAnswer } from "./delivery.ts";
import type { Action } from "./team-actions.ts";

/** Actions of the scm service. */
export interface ScmActions {
  /** A webhook of the code host. */
  "scm.receive": Action<Delivery, DeliveryAnswer>;
  /** The Cloud API tells that a run with a check has ended, or was reviewed. */
  "scm.complete": Action<Delivery, DeliveryAnswer>;
}

/** A pull request that was merged. */
export interface Merged {
  pr: number;
  /** The branch and commit that it was of; null where that is another repository's. */
  head: { branch: string; sha: string } | null;
}

/** What a pull request was merged into. */
export interface MergedInto {
  branch: string;
  /** The repository's. */
  defaultBranch: string;
  /** The commit that the branch came to be at; null where that is not known. */
  sha: string | null;
}
