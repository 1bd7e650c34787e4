import { randomUUID } from "node:crypto";
import type { Backoff } from "../backoff.ts";
import type { WorkOrigin } from "../tracing/work-scope.ts";
import type { JobName, Jobs, ResultJob } from "./runs/jobs.ts";

/** The waits before a queue repeats a failed job. */
export const JOB_RETRIES: Backoff = { firstMs: 500, longestMs: 30_000 };

/** How a job is queued. Both parts of its name consist of letters, digits, `_`, and `-`. */
export interface EnqueueOptions {
  /**
   * The job's name among those of its key. Jobs of the same name and attempt that are queued within two
   * minutes are one job while it is waiting or running. After that, it may run again. To make sure that it
   * does, count up `attempt`.
   */
  id: string;
  /** The owner of the job: a run. Where the queue chooses the next job, keys alternate. */
  fairKey: string;
  /** Counts up each time a lost job is queued again. 1 by default. */
  attempt?: number;
  /**
   * The request that the job goes back to; null for none. It travels beside the job. By default, it is that of the work
   * that queues the job.
   */
  origin?: WorkOrigin | null;
}

/** The reason of a failed job that never threw an error. */
export class NodesLostError extends Error {
  constructor(times: number) {
    super(`It was started ${times} times, and each time its node stopped.`);
    this.name = "NodesLostError";
  }
}

/** A job that the queue can never take, because it is larger than its largest message. */
export class JobTooLargeError extends Error {
  override name = "JobTooLargeError";
}

/** A consumer of one kind of job. */
export interface Consumer<N extends JobName> {
  /** Jobs that run concurrently. */
  concurrency: number;
  /** How often a job is started before it fails for good. Starts on nodes that died count too. */
  maxAttempts: number;
  /**
   * How often a job may throw before it fails for good, for nodes that share their resources. With it,
   * `maxAttempts` counts only starts on nodes that died. Equals `maxAttempts` by default.
   */
  maxErrors?: number;
  /** A job with this many attempts may crash its nodes. A node runs at most one such job at a time. */
  suspectFrom?: number;
  /**
   * Waits until the node can run a job. Other nodes can take jobs meanwhile. Resolves at the latest when the
   * node stops.
   */
  ready?(): Promise<void>;
  /** Returns whether this node can run the job. If not, the job is returned for other nodes. */
  fits?(job: Jobs[N]): boolean;
  /**
   * A job that runs longer is aborted, and counts as an attempt. On a single node, handlers end by
   * themselves.
   */
  timeoutMs?: number;
  /**
   * Runs the job. A job that throws is retried later. The signal aborts when this node must not run the job
   * anymore.
   */
  handle(job: Jobs[N], signal: AbortSignal): Promise<void>;
  /** Reports that the job failed for good. If it throws, it is called again later. */
  fail(job: Jobs[N], reason: Error): Promise<void>;
}

/** The load of a queue over all nodes. */
export interface QueueLoad {
  queue: JobName;
  waiting: number;
  underWay: number;
  /** When the oldest unfinished job was queued. */
  oldestAt: Date | null;
}

/** A queue of background work. Jobs are delivered at least once, so handlers are idempotent. */
export interface WorkQueue {
  /** Whether jobs survive the process. If not, their owner queues them again at the start. */
  readonly durable: boolean;
  /** Queues a job. @returns when the job is as safe as the queue can make it @throws JobTooLargeError */
  enqueue<N extends JobName>(name: N, job: Jobs[N], options: EnqueueOptions): Promise<void>;
  consume<N extends JobName>(name: N, consumer: Consumer<N>): void;
  /**
   * Removes the waiting jobs of a key, and aborts its running ones on this node. @returns when they are
   * removed, or can't be. Never rejects
   */
  drop(fairKey: string): Promise<void>;
  /**
   * Removes some waiting jobs of a key, and no others. Running ones go on. @returns when they are removed, or can't be.
   * Never rejects
   */
  dropWaiting(name: JobName, fairKey: string, ids: ReadonlySet<string>): Promise<void>;
  /** Aborts the running jobs of a key on this node. */
  abort(fairKey: string): void;
  /**
   * Returns the ids of the key's waiting and running jobs on all nodes. An unfinished job without an id here
   * is lost.
   */
  idsOf(name: JobName, fairKey: string): Promise<Set<string>>;
  /** Repairs the state of a queue server that was killed. Not for workers. */
  repair(): Promise<void>;
  /** Returns the load of each queue. */
  load(): Promise<QueueLoad[]>;
  /** Takes no more jobs, and waits for the running ones for a bounded time. The rest goes to other nodes. */
  stop(): Promise<void>;
}

/** Queues the result of a screenshot for the runs service. @throws Error if the queue rejects it */
export function enqueueResult(
  queue: WorkQueue,
  result: ResultJob,
  options: Pick<EnqueueOptions, "origin"> = {},
): Promise<void> {
  // A second delivery is a second result and changes nothing, because the receiver reads the row again.
  return queue.enqueue("result", result, { ...options, id: randomUUID(), fairKey: result.runId });
}
