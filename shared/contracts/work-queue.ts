import type { JobName, Jobs } from "./jobs.ts";

/** How a job is queued. */
export interface EnqueueOptions {
  /** Equal ids are one job while the first is waiting or under way. */
  id: string;
  /** Jobs of different keys take turns, so that a long run does not starve a short one. */
  fairKey: string;
}

/** Takes jobs of one kind. */
export interface Consumer<N extends JobName> {
  /** Jobs at once. */
  concurrency: number;
  /** Does the job. What it throws is tried again after a while; `signal` aborts when the job is no longer wanted. */
  handle(job: Jobs[N], signal: AbortSignal): Promise<void>;
  /** Told when the job failed for the last time. */
  giveUp(job: Jobs[N], reason: Error): Promise<void>;
}

/** Work that outlives its request. Delivered at least once: handlers are idempotent. */
export interface WorkQueue {
  /** Whether jobs outlive the process; where not, who queued them queues them again at start. */
  readonly durable: boolean;
  enqueue<N extends JobName>(name: N, job: Jobs[N], options: EnqueueOptions): Promise<void>;
  consume<N extends JobName>(name: N, consumer: Consumer<N>): void;
  /** Forgets the waiting jobs of a key and aborts those under way on this node. */
  drop(fairKey: string): void;
  /** Takes no more jobs and waits for those under way, for a bounded time. */
  stop(): Promise<void>;
}
