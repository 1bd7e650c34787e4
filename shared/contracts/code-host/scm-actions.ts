import type { ConfigFailure } from "../../project-config/failure.ts";
import type { runOf } from "../../project-config/run-of.ts";
import type { Delivery, DeliveryAnswer } from "../platform/delivery.ts";
import type { Action } from "../teams/team-actions.ts";
import type { Scm } from "./scm.ts";

/** Actions of the scm service. */
export interface ScmActions {
  /** A webhook of the code host. */
  "scm.receive": Action<Delivery, DeliveryAnswer>;
  /** The Cloud API tells that a run with a check has ended, or was reviewed. */
  "scm.complete": Action<Delivery, DeliveryAnswer>;
  /**
   * What a repository's configuration says at the commit of a run; null where the app does not work for the team and
   * the deployment platform's integration did not forward just this run, or where the app may not read it.
   * Fails as unavailable where the code host does not answer.
   */
  "scm.configuration": Action<ForwardedRun, RunConfig | null>;
  /** The deployment platform's integration submits this run, after it verified the platform's signature. */
  "scm.forwarding": Action<ForwardedRun, null>;
}

/** What is submitted for a team, as far as it says where it is from. */
export interface ForwardedRun {
  teamId: string;
  url: string;
  commit: Pick<Scm, "owner" | "repo" | "sha" | "pr">;
}

/** What a repository's configuration says of its runs, or what is wrong with it. */
export type RunConfig =
  | { run: Partial<Omit<ReturnType<typeof runOf>, "project">> }
  | { path: string; faults: ConfigFailure[] };

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
