import type { ConfigFault } from "../project-config/fault.ts";
import type { runOf } from "../project-config/run-of.ts";
import type { Delivery, DeliveryAnswer } from "./delivery.ts";
import type { Scm } from "./scm.ts";
import type { Action } from "./team-actions.ts";

/** Actions of the scm service. */
export interface ScmActions {
  /** A webhook of the code host. */
  "scm.receive": Action<Delivery, DeliveryAnswer>;
  /** The Cloud API tells that a run with a check has ended, or was reviewed. */
  "scm.complete": Action<Delivery, DeliveryAnswer>;
  /**
   * What a repository's configuration says at a commit; null where there is no app of this team that may read it.
   * Fails as unavailable where the code host does not answer.
   */
  "scm.configuration": Action<
    { teamId: string; commit: Pick<Scm, "owner" | "repo" | "sha"> },
    RunConfig | null
  >;
}

/** What a repository's configuration says of its runs, or what is wrong with it. */
export type RunConfig =
  | { run: Partial<Omit<ReturnType<typeof runOf>, "project">> }
  | { path: string; faults: ConfigFault[] };

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
