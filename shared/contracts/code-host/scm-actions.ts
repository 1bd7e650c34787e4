import type { ConfigFailure } from "../../project-config/failure.ts";
import type { runOf, storybookOf } from "../../project-config/run-of.ts";
import type { Delivery, DeliveryAnswer } from "../platform/delivery.ts";
import type { Action } from "../teams/team-actions.ts";
import type { Scm } from "./scm.ts";

/** Actions of the scm service. */
export interface ScmActions {
  /** Receives a webhook of the code host. */
  "scm.receive": Action<Delivery, DeliveryAnswer>;
  /** Receives the Cloud API's report that the run of a check ended or was reviewed. */
  "scm.complete": Action<Delivery, DeliveryAnswer>;
  /**
   * Returns a repository's configuration at the commit of a run. Returns null if the app may not read it. Returns null
   * also if the app does not work for the team and the deployment platform's integration did not forward exactly this
   * run. Fails as unavailable if the code host does not respond.
   */
  "scm.configuration": Action<ForwardedRun, RunConfig | null>;
  /**
   * Returns whether the commit of a run belongs to a pull request from a fork. Returns null under the same conditions as
   * `scm.configuration`.
   */
  "scm.isFromFork": Action<ForwardedRun, boolean | null>;
  /** Announces a run that the deployment platform's integration submits after it verified the platform's signature. */
  "scm.forwarding": Action<ForwardedRun, null>;
}

/** The origin of a run that is submitted for a team. */
export interface ForwardedRun {
  teamId: string;
  url: string;
  commit: Pick<Scm, "owner" | "repo" | "sha" | "pr">;
}

/** The repository's configuration for its runs. */
export type RepositoryRun = Partial<Omit<ReturnType<typeof runOf>, "project">>;

/** The repository's configuration for its runs, or its failures. */
export type RunConfig =
  | {
      run: RepositoryRun;
      /** For runs of stories. Absent without a configuration. */
      storybook?: ReturnType<typeof storybookOf>;
    }
  | { path: string; faults: ConfigFailure[] };

/** A merged pull request. */
export interface Merged {
  pr: number;
  /** Its last commit. */
  sha: string;
  /** Its branch; null if that is in another repository. */
  branch: string | null;
  /** The runs that checked it. They can be of other projects than the repository's. */
  runIds: string[];
}

/** The target of a merge. */
export interface MergedInto {
  branch: string;
  /** The repository's default branch. */
  defaultBranch: string;
  /** The commit of the branch after the merge; null if it is unknown. */
  sha: string | null;
}
