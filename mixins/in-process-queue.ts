import { setTimeout as delay } from "node:timers/promises";
import type { JobName, Jobs } from "../shared/contracts/jobs.ts";
import type { Consumer, EnqueueOptions, WorkQueue } from "../shared/contracts/work-queue.ts";

/** Waits before a job is tried again, ms; after the last it is given up. */
const RETRY_AFTER_MS = [500, 5_000];
/** Longer than most pages take, shorter than a supervisor's patience before it kills. */
const STOP_WITHIN_MS = 8_000;

interface Entry<N extends JobName> {
  job: Jobs[N];
  id: string;
  fairKey: string;
  failures: number;
  abort: AbortController;
}

/** The embedded default's queue: in memory, refilled from the database at start. */
export class InProcessQueue implements WorkQueue {
  readonly durable = false;
  readonly #lanes: { [N in JobName]: Lane<N> } = { capture: new Lane(), compare: new Lane() };
  readonly #stopWithinMs: number;

  constructor(stopWithinMs = STOP_WITHIN_MS) {
    this.#stopWithinMs = stopWithinMs;
  }

  async enqueue<N extends JobName>(name: N, job: Jobs[N], options: EnqueueOptions): Promise<void> {
    this.#lanes[name].add({ job, ...options, failures: 0, abort: new AbortController() });
  }

  consume<N extends JobName>(name: N, consumer: Consumer<N>): void {
    this.#lanes[name].consume(consumer);
  }

  drop(fairKey: string): void {
    for (const lane of Object.values(this.#lanes)) lane.drop(fairKey);
  }

  async stop(): Promise<void> {
    await Promise.all(Object.values(this.#lanes).map(lane => lane.stop(this.#stopWithinMs)));
  }
}

/** The jobs of one kind: a line per key, taken in turns. */
class Lane<N extends JobName> {
  readonly #lines = new Map<string, Entry<N>[]>();
  readonly #known = new Map<string, Entry<N>>();
  readonly #underWay = new Set<Promise<void>>();
  #consumer: Consumer<N> | null = null;
  #stopped = false;

  add(entry: Entry<N>): void {
    if (this.#known.has(entry.id)) return;
    this.#known.set(entry.id, entry);
    this.#wait(entry);
  }

  consume(consumer: Consumer<N>): void {
    this.#consumer = consumer;
    this.#take();
  }

  drop(fairKey: string): void {
    this.#lines.delete(fairKey);
    for (const entry of this.#known.values()) {
      if (entry.fairKey !== fairKey) continue;
      entry.abort.abort();
      this.#known.delete(entry.id);
    }
  }

  async stop(withinMs: number): Promise<void> {
    this.#stopped = true;
    this.#lines.clear();
    const finished = Promise.allSettled(this.#underWay);
    await Promise.race([finished, delay(withinMs, undefined, { ref: false })]);
    for (const entry of this.#known.values()) entry.abort.abort();
  }

  #wait(entry: Entry<N>): void {
    const line = this.#lines.get(entry.fairKey);
    if (line) line.push(entry);
    else this.#lines.set(entry.fairKey, [entry]);
    this.#take();
  }

  #take(): void {
    const consumer = this.#consumer;
    while (consumer && !this.#stopped && this.#underWay.size < consumer.concurrency) {
      const entry = this.#next();
      if (!entry) return;
      const work = this.#work(entry, consumer);
      this.#underWay.add(work);
      work.finally(() => {
        this.#underWay.delete(work);
        this.#take();
      });
    }
  }

  /** The first job of the line whose turn it is; that line then goes to the end. */
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
    try {
      await consumer.handle(entry.job, entry.abort.signal);
      this.#known.delete(entry.id);
    } catch (error) {
      if (!entry.abort.signal.aborted) await this.#failed(entry, consumer, asError(error));
    }
  }

  async #failed(entry: Entry<N>, consumer: Consumer<N>, reason: Error): Promise<void> {
    const retryAfterMs = RETRY_AFTER_MS[entry.failures];
    entry.failures += 1;
    if (retryAfterMs === undefined) {
      this.#known.delete(entry.id);
      // Nobody is left to tell when even this fails: the owner's sweep finds the job again.
      await consumer.giveUp(entry.job, reason).catch(() => {});
      return;
    }
    const retry = () => {
      if (this.#known.get(entry.id) === entry && !this.#stopped) this.#wait(entry);
    };
    setTimeout(retry, retryAfterMs).unref();
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
