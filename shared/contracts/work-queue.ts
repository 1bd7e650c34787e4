import { randomUUID } from "node:crypto";
import type { Backoff } from "../backoff.ts";
import type { JobName, Jobs, ResultJob } from "./runs/jobs.ts";

/** How long queues wait before they repeat a job that failed. */
export const JOB_RETRIES: Backoff = { firstMs: 500, longestMs: 30_000 };

/** How a job is queued. Both parts of its name are letters, digits, `_` and `-`. */
export interface EnqueueOptions {
  /**
   * Names the job among those of its key. Queued twice within two minutes, as the same attempt, it is one job for as
   * long as that is waiting or under way. After that it may be done again or not: who wants it again counts up.
   */
  id: string;
  /** What the job belongs to: a run. Where the queue itself chooses, keys take turns. */
  fairKey: string;
  /** Counts up each time that the job is queued anew because it got lost; 1 unless said otherwise. */
  attempt?: number;
}

/** Why a job is given up that was never seen to fail. */
export class NodesLostError extends Error {
  constructor(times: number) {
    super(`It was started ${times} times, and each time its node stopped.`);
    this.name = "NodesLostError";
  }
}

/** Takes jobs of one kind. */
export interface Consumer<N extends JobName> {
  /** Jobs at once. */
  concurrency: number;
  /** How often a job is begun before it is given up; a node that dies with it has begun it too. */
  maxAttempts: number;
  /** How often a job may throw before it is given up, where nodes share what they work with; then `tries` counts the nodes that die with it only. As `tries` unless said otherwise. */
  maxErrors?: number;
  /** A job begun this often may be what takes its nodes down, and is then done beside no other such job of a node. */
  suspectFrom?: number;
  /** Waited for before a job is asked for, where other nodes can take it meanwhile; ends when its node stops at the latest. */
  ready?(): Promise<void>;
  /** Whether this node may do the job, where other nodes can; one that it may not is given back. */
  fits?(job: Jobs[N]): boolean;
  /** After as long, a job is aborted and counts as tried, ms; where its node is the only one, handlers end by themselves. */
  timeoutMs?: number;
  /** Does the job. What it throws is tried again after a while; `signal` aborts when the job is no longer wanted here. */
  handle(job: Jobs[N], signal: AbortSignal): Promise<void>;
  /** Told when the job is given up; should it throw, it is told again later. */
  fail(job: Jobs[N], reason: Error): Promise<void>;
}

/** How full a queue is, on all nodes together. */
export interface QueueLoad {
  queue: JobName;
  waiting: number;
  underWay: number;
  /** When the oldest job that is still there was queued. */
  oldestAt: Date | null;
}

/** Work that outlives its request. Delivered at least once: handlers are idempotent. */
export interface WorkQueue {
  /** Whether jobs outlive the process; where not, who queued them queues them again at start. */
  readonly durable: boolean;
  /** @returns when the job is as safe as the queue can make it */
  enqueue<N extends JobName>(name: N, job: Jobs[N], options: EnqueueOptions): Promise<void>;
  consume<N extends JobName>(name: N, consumer: Consumer<N>): void;
  /** Forgets the waiting jobs of a key, and aborts those under way on this node. @returns when they are gone, or could not be removed; never rejects */
  drop(fairKey: string): Promise<void>;
  /** Aborts the jobs of a key that are under way on this node. */
  abort(fairKey: string): void;
  /** Ids of the key's jobs that are waiting or under way, on any node: one that is neither done nor among them got lost. */
  idsOf(name: JobName, fairKey: string): Promise<Set<string>>;
  /** Puts right what the queue's server has wrong after it was killed; not for workers. */
  repair(): Promise<void>;
  /** How full each queue is. */
  load(): Promise<QueueLoad[]>;
  /** Takes no more jobs and waits for those under way, for a bounded time; what is left then goes to other nodes. */
  stop(): Promise<void>;
}

/** Queues the result of a screenshot for the runs service. @throws Error if the queue rejects it */
export function enqueueResult(queue: WorkQueue, result: ResultJob): Promise<void> {
  // A second delivery is a second result and changes nothing, because the receiver reads the row again.
  return queue.enqueue("result", result, { id: randomUUID(), fairKey: result.runId });
}
