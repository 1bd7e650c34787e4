import { createHash } from "node:crypto";
import {
  MIRROR_BOUNDS,
  type MirroredThread,
  type MirrorSetting,
} from "../../../shared/contracts/reviews/mirror.ts";
import { startPeriodicTask } from "../../../shared/periodic-task.ts";
import { failureBackoffMs } from "../checks/check-state.rule.ts";
import type { RepositoryComments, RepositoryHost } from "../code-host/code-host.ts";
import { isContentRefused, isRefused } from "../code-host/host-error.ts";
import { type LaneWork, workInLanes } from "../lanes/lanes.ts";
import type { ScmContext } from "../scm-context.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { describeThread, threadMarkerOf } from "./describe-thread.ts";
import { syncDiscussion } from "./sync-discussion.ts";
import {
  deleteThread,
  findThreads,
  insertThread,
  leaseDueMirrors,
  type MirroredRun,
  releaseMirror,
  renewMirrorLease,
  type StoredThread,
  saveThread,
} from "./thread.store.ts";

/** Well within a lease, so that one renewal may fail. */
const RENEWAL_INTERVAL_MS = 20_000;
/** About two hours with the backoff. The next comment or the recovery sweep starts over. */
const MAX_FAILURES = 30;

/** Writes the threads of all due runs into the comments of their pull requests. */
export async function mirrorDueThreads(context: ScmContext, signal?: AbortSignal): Promise<void> {
  const runs: LaneWork<MirroredRun> = {
    lease: full => leaseDueMirrors(context.em(), full),
    work: (run, overdue) => mirrorLeased(context, run, overdue),
    failed: (error, run) => context.warn(error, notMirrored(run)),
  };
  await workInLanes(runs, signal);
}

function notMirrored({ owner, repo, pull }: MirroredRun): string {
  return LOG_MESSAGES.threadsNotMirrored(owner, repo, pull);
}

/** Mirrors the threads of a leased run, and releases it. */
async function mirrorLeased(context: ScmContext, run: MirroredRun, overdue: AbortSignal): Promise<void> {
  const renewing = startPeriodicTask(
    {
      intervalMs: RENEWAL_INTERVAL_MS,
      work: async () => void (overdue.aborted || (await renewMirrorLease(context.em(), run))),
      failed: LOG_MESSAGES.commentLeaseNotRenewed,
    },
    context.warn,
  );
  let retryInMs: number | null = failureBackoffMs(run.failures);
  try {
    await mirrorThreads(context, run);
    retryInMs = null;
  } catch (error) {
    context.warn(error, notMirrored(run));
    if (isRefused(error) || run.failures >= MAX_FAILURES) retryInMs = null;
  } finally {
    await renewing.stop();
    await releaseMirror(context.em(), run, retryInMs);
  }
}

/** @throws HostError */
async function mirrorThreads(context: ScmContext, run: MirroredRun): Promise<void> {
  const shown = await readThreads(context, run);
  const stored = new Map((await findThreads(context.em(), run.runId)).map(thread => [thread.id, thread]));
  // Most runs have no thread, so they cost the code host nothing.
  if (!shown || (shown.threads.length === 0 && stored.size === 0)) return;
  const repository = await context.host.repository(run);
  const isPrivate = await isPrivateIfNeeded(repository, shown.setting);
  const isShown = shown.setting === "private" ? isPrivate : shown.setting === "always";
  if (!isShown && stored.size === 0) return;
  const { discussions } = repository;
  const comments = discussions ?? repository.comments;
  const writer = { context, run, comments };
  for (const thread of shown.threads) {
    // Another node that holds the run by now would write the same comments.
    if (!(await renewMirrorLease(context.em(), run))) return;
    const body = describeThread(thread, shown.reportUrl, discussions);
    const before = stored.get(thread.id) ?? newThread(thread);
    const now = isShown ? await mirrorThread(writer, body, before) : before;
    if (discussions && shown.setting !== "never")
      await syncDiscussion(context, { run, thread, stored: now, discussions, isPrivate });
    stored.delete(thread.id);
  }
  // Deleted threads disappear, also where others don't appear anymore.
  for (const other of stored.values()) if (isGone(other, shown)) await removeThread(writer, other);
}

interface Shown {
  setting: MirrorSetting;
  reportUrl: string;
  threads: MirroredThread[];
  /** Whether these are all threads of the run. Later ones only appear in the dashboard. */
  isWhole: boolean;
}

/** Returns the threads of a run, or null if the run is not known here anymore. */
async function readThreads(context: ScmContext, { runId, teamId }: MirroredRun): Promise<Shown | null> {
  const cloud = context.cloudOf(teamId);
  const threads: MirroredThread[] = [];
  for (let after: string | null = null; ; ) {
    const page = await cloud.threads(runId, after);
    if (!page) return null;
    threads.push(...page.threads);
    const { setting, reportUrl, next } = page;
    if (next === null || threads.length >= MIRROR_BOUNDS.threads)
      return { setting, reportUrl, threads: threads.slice(0, MIRROR_BOUNDS.threads), isWhole: next === null };
    after = next;
  }
}

/** Returns whether a thread that is not shown was deleted. Threads after the last one that is shown may exist. */
function isGone({ id }: StoredThread, { threads, isWhole }: Shown): boolean {
  return isWhole || id < (threads.at(-1)?.id ?? "");
}

/** Returns whether only members can read a repository. Everyone can read the comments of a public one. */
async function isPrivateIfNeeded(repository: RepositoryHost, setting: MirrorSetting): Promise<boolean> {
  const isNeeded = setting === "private" || (setting === "always" && repository.discussions !== null);
  return isNeeded && (await repository.read()).isPrivate;
}

function newThread({ id }: MirroredThread): StoredThread {
  return { id, hostId: null, digest: null, isRemoved: false, isResolved: false };
}

interface Writer {
  context: ScmContext;
  run: MirroredRun;
  comments: RepositoryComments;
}

/**
 * Writes the comment of a thread, if it changed. A comment that was deleted on the pull request stays deleted.
 * @returns what is stored now
 */
async function mirrorThread(
  { context, run, comments }: Writer,
  body: string,
  thread: StoredThread,
): Promise<StoredThread> {
  const digest = createHash("sha256").update(body).digest("hex");
  if (thread.isRemoved || thread.digest === digest) return thread;
  const em = context.em();
  await insertThread(em, run.runId, thread.id);
  let written = { ...thread, digest };
  try {
    const hostId = thread.hostId ?? (await findComment(run, comments, thread.id));
    if (hostId === null) written.hostId = await comments.create(run.pull, body);
    else {
      const isThere = await comments.change(run.pull, hostId, body);
      written = { ...written, hostId, isRemoved: !isThere };
    }
  } catch (error) {
    // The conversation is locked, or the app may not comment. The dashboard has the thread too.
    if (!isRefused(error) && !isContentRefused(error)) throw error;
    context.warn(error, LOG_MESSAGES.commentNotWritten(run.pull));
  }
  await saveThread(em, written);
  return written;
}

/** Finds the comment of a thread, if the response to its creation was lost. */
function findComment(
  { pull }: MirroredRun,
  comments: RepositoryComments,
  threadId: string,
): Promise<string | null> {
  return comments.find(pull, threadMarkerOf(threadId));
}

/** Deletes the comment of a thread that was deleted here. */
async function removeThread({ context, run, comments }: Writer, thread: StoredThread): Promise<void> {
  const hostId = thread.hostId ?? (await findComment(run, comments, thread.id));
  try {
    if (hostId !== null && !thread.isRemoved) await comments.remove(run.pull, hostId);
  } catch (error) {
    if (!isRefused(error)) throw error;
    context.warn(error, LOG_MESSAGES.commentNotWritten(run.pull));
  }
  await deleteThread(context.em(), thread.id);
}
