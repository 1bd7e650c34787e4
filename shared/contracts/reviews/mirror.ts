import type { Action } from "../teams/team-actions.ts";

/** Threads of a run's review that also appear on its pull request, and replies that come from there. */

/** Where threads appear on pull requests: in private repositories only, everywhere, or nowhere. */
export const MIRROR_SETTINGS = ["private", "always", "never"] as const;
export type MirrorSetting = (typeof MIRROR_SETTINGS)[number];

/**
 * Bounds of what a pull request shows of a run. A page of threads stays well under the largest message on the bus,
 * even in a script with three bytes per character.
 */
export const MIRROR_BOUNDS = {
  threads: 50,
  perPage: 10,
  replies: 20,
  chars: 1_000,
  repliesPerRun: 200,
} as const;

/** A comment as the pull request shows it. */
export interface MirroredComment {
  by: string;
  text: string;
}

/** A thread as the pull request shows it. */
export interface MirroredThread {
  id: string;
  screenshotId: string | null;
  /** The page and its width. Null for a thread on the run. */
  page: { name: string; viewport: number } | null;
  isOnRegion: boolean;
  /** The first comment, and the latest replies that were written here, oldest first. */
  comments: MirroredComment[];
  /** The number of earlier replies that are left out. */
  omitted: number;
  /** Null for an open thread. */
  resolvedBy: string | null;
}

export interface MirroredThreads {
  setting: MirrorSetting;
  /** The link to the run's report. */
  reportUrl: string;
  threads: MirroredThread[];
  /** The cursor of the next page. Null for the last one. */
  next: string | null;
}

/** A reply that was written on the pull request. */
export interface MirroredReply {
  teamId: string;
  /** The same for every delivery of the same reply. */
  id: string;
  threadId: string;
  text: string;
  /** Its page on the code host's website. */
  url: string;
  account: { id: string; login: string };
  /** False to only change the text of a reply that is still there. */
  mayAdd: boolean;
}

/** Actions of the runs service that connect threads with pull requests. */
export interface MirrorActions {
  /** Returns a page of a run's threads, oldest first. Null if the team has no such run. */
  "runs.mirroredThreads": Action<
    { teamId: string; runId: string; after: string | null },
    MirroredThreads | null
  >;
  /**
   * Adds a reply, or changes its text. @returns whether it was written. It isn't if the thread was deleted, the run has
   * too many comments, or the project keeps its threads to itself.
   */
  "runs.putMirroredReply": Action<MirroredReply, boolean>;
  /**
   * Resolves or reopens a thread, as on the pull request. @returns whether it was changed. It isn't if the thread was
   * deleted, or the project keeps its threads to itself.
   */
  "runs.resolveMirroredThread": Action<
    {
      teamId: string;
      threadId: string;
      /** The login at the code host; null reopens the thread. */
      by: string | null;
    },
    boolean
  >;
  /** Deletes a reply that was deleted on the pull request. */
  "runs.deleteMirroredReply": Action<{ teamId: string; id: string }, null>;
}
