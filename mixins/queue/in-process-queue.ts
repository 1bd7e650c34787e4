import { setTimeout as delay } from "node:timers/promises";
import { backoffMs } from "../../shared/backoff.ts";
import { JOB_NAMES, type JobName, type Jobs } from "../../shared/contracts/runs/jobs.ts";
import {
  type Consumer,
  type EnqueueOptions,
  JOB_RETRIES,
  type QueueLoad,
  type WorkQueue,
} from "../../shared/contracts/work-queue.ts";
import { asError } from "../../shared/errors.ts";
import type { Tracer, WorkOrigin } from "../../shared/tracing/work-scope.ts";
import { originOfJob, runJob } from "./job-scope.ts";

/** Longer than most pages take, and shorter than a supervisor waits before it kills the node. */
const STOP_TIMEOUT_MS = 8_000;

interface Entry<N extends JobName> {
  job: Jobs[N];
  id: string;
  fairKey: string;
  queuedAt: Date;
  attempts: number;
  origin: WorkOrigin | null;
  abort: AbortController;
}

interface Settings {
  /** Undefined if tracing is off. */
  tracer?: Tracer | undefined;
  stopTimeoutMs?: number;
}

/** The queue of a single node. It is in memory, and refilled from the database at the start. */
export class InProcessQueue implements WorkQueue {
  readonly durable = false;
  readonly #lanes: { [N in JobName]: Lane<N> };
  readonly #stopTimeoutMs: number;

  constructor({ tracer, stopTimeoutMs = STOP_TIMEOUT_MS }: Settings = {}) {
    this.#stopTimeoutMs = stopTimeoutMs;
    this.#lanes = {
      capture: new Lane("capture", tracer),
      compare: new Lane("compare", tracer),
      result: new Lane("result", tracer),
    };
  }

  async enqueue<N extends JobName>(name: N, job: Jobs[N], options: EnqueueOptions): Promise<void> {
    const { id, fairKey } = options;
    this.#lanes[name].add({
      job,
      id,
      fairKey,
      queuedAt: new Date(),
      attempts: 0,
      origin: originOfJob(options),
      abort: new AbortController(),
    });
  }

  consume<N extends JobName>(name: N, consumer: Consumer<N>): void {
    this.#lanes[name].consume(consumer);
  }

  async drop(fairKey: string): Promise<void> {
    for (const lane of Object.values(this.#lanes)) lane.drop(fairKey);
  }

  async dropWaiting(name: JobName, fairKey: string, ids: ReadonlySet<string>): Promise<void> {
    this.#lanes[name].dropWaiting(fairKey, ids);
  }

  abort(fairKey: string): void {
    // Waiting and running jobs are on the same node.
    void this.drop(fairKey);
  }

  async idsOf(name: JobName, fairKey: string): Promise<Set<string>> {
    return this.#lanes[name].idsOf(fairKey);
  }

  async repair(): Promise<void> {}

  async load(): Promise<QueueLoad[]> {
    return JOB_NAMES.map(queue => ({ queue, ...this.#lanes[queue].load() }));
  }

  async stop(): Promise<void> {
    const { capture, compare, result } = this.#lanes;
    await Promise.all([capture.stop(this.#stopTimeoutMs), compare.stop(this.#stopTimeoutMs)]);
    // Last, and completely: results of the other lanes are stored, so that their work isn't repeated.
    await result.drain(this.#stopTimeoutMs);
  }
}

/** The jobs of one kind, in one line per key. The lines alternate. */
class Lane<N extends JobName> {
  readonly #lines = new Map<string, Entry<N>[]>();
  readonly #entries = new Map<string, Entry<N>>();
  readonly #running = new Set<Promise<void>>();
  readonly #name: N;
  readonly #tracer: Tracer | undefined;
  #consumer: Consumer<N> | null = null;
  #stopped = false;

  constructor(name: N, tracer: Tracer | undefined) {
    this.#name = name;
    this.#tracer = tracer;
  }

  add(entry: Entry<N>): void {
    if (this.#entries.has(nameOf(entry))) return;
    this.#entries.set(nameOf(entry), entry);
    this.#wait(entry);
  }

  idsOf(fairKey: string): Set<string> {
    const own = [...this.#entries.values()].filter(entry => entry.fairKey === fairKey);
    return new Set(own.map(entry => entry.id));
  }

  load(): Omit<QueueLoad, "queue"> {
    const underWay = this.#running.size;
    const [oldest] = this.#entries.values();
    // A dropped job runs until its handler ends, but is no longer known.
    const waiting = Math.max(0, this.#entries.size - underWay);
    return { waiting, underWay, oldestAt: oldest?.queuedAt ?? null };
  }

  consume(consumer: Consumer<N>): void {
    this.#consumer = consumer;
    this.#startNext();
  }

  drop(fairKey: string): void {
    this.#lines.delete(fairKey);
    for (const entry of this.#entries.values()) {
      if (entry.fairKey !== fairKey) continue;
      entry.abort.abort();
      this.#entries.delete(nameOf(entry));
    }
  }

  dropWaiting(fairKey: string, ids: ReadonlySet<string>): void {
    const line = this.#lines.get(fairKey) ?? [];
    const dropped = line.filter(({ id }) => ids.has(id));
    for (const entry of dropped) this.#entries.delete(nameOf(entry));
    const left = line.filter(entry => !dropped.includes(entry));
    if (left.length > 0) this.#lines.set(fairKey, left);
    else this.#lines.delete(fairKey);
  }

  /** Takes no more jobs. Running ones are aborted after the timeout. */
  async stop(timeoutMs: number): Promise<void> {
    this.#stopped = true;
    this.#lines.clear();
    await this.#idle(timeoutMs);
    for (const entry of this.#entries.values()) entry.abort.abort();
  }

  /** Runs the waiting jobs, then stops. */
  async drain(timeoutMs: number): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (this.#consumer && this.#lines.size > 0 && Date.now() < deadline) await this.#idle(timeoutMs);
    await this.stop(Math.max(0, deadline - Date.now()));
  }

  /** Waits until the currently running jobs have ended, or the time is up. */
  async #idle(timeoutMs: number): Promise<void> {
    await Promise.race([Promise.allSettled(this.#running), delay(timeoutMs, undefined, { ref: false })]);
  }

  #wait(entry: Entry<N>): void {
    const line = this.#lines.get(entry.fairKey);
    if (line) line.push(entry);
    else this.#lines.set(entry.fairKey, [entry]);
    this.#startNext();
  }

  #startNext(): void {
    const consumer = this.#consumer;
    while (consumer && !this.#stopped && this.#running.size < consumer.concurrency) {
      const entry = this.#next();
      if (!entry) return;
      const work = this.#work(entry, consumer);
      this.#running.add(work);
      work.finally(() => {
        this.#running.delete(work);
        this.#startNext();
      });
    }
  }

  /** Returns the first job of the next line. That line moves to the end. */
  #next(): Entry<N> | undefined {
    const first = this.#lines.entries().next();
    if (first.done) return undefined;
    const [key, line] = first.value;
    const entry = line.shift();
    this.#lines.delete(key);
    if (line.length > 0) this.#lines.set(key, line);
    return entry;
  }

  async #work(entry: Entry<N>, consumer: Consumer<N>): Promise<void> {
    entry.attempts += 1;
    try {
      await this.#inScope(entry, () => consumer.handle(entry.job, entry.abort.signal));
      // A dropped job may be queued again before its handler ends.
      if (this.#entries.get(nameOf(entry)) === entry) this.#entries.delete(nameOf(entry));
    } catch (error) {
      if (!entry.abort.signal.aborted) await this.#failed(entry, consumer, asError(error));
    }
  }

  async #failed(entry: Entry<N>, consumer: Consumer<N>, reason: Error): Promise<void> {
    if (entry.attempts >= consumer.maxAttempts) {
      this.#entries.delete(nameOf(entry));
      // If this fails too, the owner's recovery sweep finds the job.
      await this.#inScope(entry, () => consumer.fail(entry.job, reason)).catch(() => {});
      return;
    }
    const retry = () => {
      if (this.#entries.get(nameOf(entry)) === entry && !this.#stopped) this.#wait(entry);
    };
    setTimeout(retry, backoffMs(entry.attempts, JOB_RETRIES)).unref();
  }

  #inScope(entry: Entry<N>, work: () => Promise<void>): Promise<void> {
    const facts = { ...entry, name: this.#name, queuedAtMs: entry.queuedAt.getTime() };
    return runJob(facts, this.#tracer, work);
  }
}

function nameOf({ fairKey, id }: { fairKey: string; id: string }): string {
  return `${fairKey} ${id}`;
}
