import { setTimeout as delay } from "node:timers/promises";
import { backoffMs } from "../../shared/backoff.ts";
import { areCompatible, CONTRACTS } from "../../shared/contracts/contract-version.ts";
import type { JobName, Jobs } from "../../shared/contracts/runs/jobs.ts";
import { type Consumer, JOB_RETRIES, NodesLostError } from "../../shared/contracts/work-queue.ts";
import { asError } from "../../shared/errors.ts";
import { JOB_MESSAGES } from "../texts.ts";
import { HeldJob, JobTimeoutError, type LaneContext, RESPONSES, retryAfter } from "./held-job.ts";
import { runJob } from "./job-scope.ts";
import { CONSUMER, messageOf, streamOf } from "./job-streams.ts";
import type { NatsSession } from "./nats-connection.ts";
import { PullInbox } from "./pull-inbox.ts";

/** Between two requests if the first one returned nothing at once. */
const PAUSE_MS = 250;
/**
 * How long a job for other nodes is held at least if none of them takes it. Short compared with a page, and long compared
 * with the milliseconds that a return takes.
 */
const PASS_ON_HOLD_MS = 250;
/**
 * Jobs for other nodes that a node returns at once in that time, for each of its workers. The others' requests are waiting
 * behind one of each worker, so with more, no other node is free.
 */
const PASSES_PER_WORKER = 2;
/**
 * Average time between two returns of held jobs. The more jobs a node holds for others, the longer it holds each, or a
 * long queue of a region without nodes would keep all nodes and the server busy. Still more jobs than free nodes take.
 */
const PASS_ON_INTERVAL_MS = 25;
/**
 * A job that nodes return to each other for longer than this fits no node, or its run has ended. It ends, and the
 * recovery sweep queues it again if it is needed. Longer than a job waits for a busy node of its region.
 */
const PASS_ON_MAX_MS = 2 * 60 * 60_000;
/** How often a failed job is reported to its owner, before it is delivered again for that. */
const REPORT_ATTEMPTS = 3;
/** A job that takes longer hangs, and would be held forever. */
const MAX_DURATION_MS = 15 * 60_000;
/** No response yet. */
const LATER = "";

/** The workers of one kind of job on this node. Each takes a job, runs it, and responds. */
export class JobLane<N extends JobName> {
  readonly #name: N;
  readonly #consumer: Consumer<N>;
  readonly #context: LaneContext;
  readonly #stopping = new AbortController();
  readonly #running = new Set<HeldJob<N>>();
  readonly #workers: Promise<void>[];
  #inbox: PullInbox | null = null;
  /** Resolves when the running suspect has ended. */
  #runningSuspect: Promise<void> | null = null;
  /** Jobs that this node returned for others since a time of `performance.now`. */
  #passed = { count: 0, since: 0 };
  /** Number of jobs that this node holds for others. */
  #heldForOthers = 0;

  constructor(name: N, consumer: Consumer<N>, context: LaneContext) {
    this.#name = name;
    this.#consumer = consumer;
    this.#context = context;
    this.#workers = Array.from({ length: consumer.concurrency }, () => this.#runWorker());
  }

  /** Aborts the key's jobs. */
  drop(fairKey: string): void {
    for (const held of this.#running) if (held.delivery.fairKey === fairKey) held.drop();
  }

  /** Takes no more jobs. Running ones have this long, then they go to other nodes. */
  async stop(timeoutMs: number): Promise<void> {
    this.#stopping.abort();
    const finished = Promise.all(this.#workers);
    await this.#inbox?.withdraw();
    await Promise.race([finished, delay(timeoutMs, undefined, { ref: false })]);
    await Promise.all([...this.#running].map(held => held.returnToQueue()));
  }

  async #runWorker(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        const held = await this.#next();
        if (held) await this.#take(held);
      } catch (error) {
        this.#context.log.warn(JOB_MESSAGES.workerFailed(this.#name, messageOf(error)));
        await this.#pause();
      }
    }
  }

  async #next(): Promise<HeldJob<N> | null> {
    await this.#ready();
    const session = await this.#context.connection.session(this.#stopping.signal);
    if (!session || this.#stopping.signal.aborted) return null;
    const requestedAt = performance.now();
    const inbox = await this.#openInbox(session);
    if (this.#stopping.signal.aborted) return null;
    const pulled = await inbox.pull();
    if (typeof pulled !== "string") return HeldJob.of(this.#name, this.#context, pulled, session);
    if (pulled === "missing" && !session.lost.aborted) await this.#context.streams.restore(session.client);
    if (performance.now() - requestedAt < PAUSE_MS) await this.#pause();
    return null;
  }

  /** Waits until the consumer is ready, or the lane stops. */
  async #ready(): Promise<void> {
    if (!this.#consumer.ready) return;
    const { signal } = this.#stopping;
    const stopped = Promise.withResolvers<void>();
    const stop = () => stopped.resolve();
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    await Promise.race([this.#consumer.ready(), stopped.promise]);
    signal.removeEventListener("abort", stop);
  }

  async #openInbox(session: NatsSession): Promise<PullInbox> {
    // A restarted server may have lost its store. It would not respond to a request.
    if (this.#inbox?.session !== session) await this.#context.streams.ensure(session.client);
    if (this.#inbox?.session === session) return this.#inbox;
    this.#inbox = new PullInbox(session, streamOf(this.#name), CONSUMER, message => {
      // It arrived after its worker had stopped waiting.
      const held = HeldJob.of(this.#name, this.#context, message, session);
      if (held) void held.returnToQueue();
    });
    return this.#inbox;
  }

  async #take(held: HeldJob<N>): Promise<void> {
    const { contracts } = held.delivery;
    if (!areCompatible(CONTRACTS, contracts)) {
      // A newer node takes a newer job. The recovery sweep queues an old one again, in today's form.
      if (contracts.version > CONTRACTS.version) return this.#passToOtherNode(held);
      return held.finish(RESPONSES.ended);
    }
    const job = await held.decode();
    if (!job) return held.finish(RESPONSES.ended);
    if (this.#stopping.signal.aborted) return held.returnToQueue();
    if (this.#consumer.fits?.(job) === false) return this.#passToOtherNode(held);
    const isSuspect = this.#isSuspect(held);
    if (isSuspect && this.#runningSuspect) return this.#returnSuspect(held, this.#runningSuspect);
    const ended = Promise.withResolvers<void>();
    if (isSuspect) this.#runningSuspect = ended.promise;
    this.#running.add(held);
    held.startHeartbeat();
    let isLater = false;
    try {
      const answer = await this.#do(job, held);
      isLater = answer === LATER;
      if (isLater) void this.#returnLater(held, backoffMs(held.delivery.errors, JOB_RETRIES));
      else await held.finish(answer);
    } finally {
      if (!isLater) this.#release(held);
      if (isSuspect) this.#runningSuspect = null;
      ended.resolve();
    }
  }

  #release(held: HeldJob<N>): void {
    held.stopHeartbeat();
    this.#running.delete(held);
  }

  /** Holds a job for a while, then returns it for any node. Its worker runs other jobs meanwhile. */
  async #returnLater(held: HeldJob<N>, waitMs: number): Promise<void> {
    try {
      // Also aborts when the node stops. The stop then returns the job.
      await delay(waitMs, undefined, { signal: held.signal }).catch(() => {});
      await held.returnToQueue();
    } catch (error) {
      this.#context.log.warn(JOB_MESSAGES.notHandedBack(this.#name, messageOf(error)));
    } finally {
      this.#release(held);
    }
  }

  /**
   * Returns a job for a node that can run it. A free one gets it next, because the server serves requests in their order
   * and this worker's next one is the last. If jobs keep coming back, no such node is free. Then they are held for a
   * moment, so that nodes don't return them to each other all the time. Workers take other jobs meanwhile.
   */
  async #passToOtherNode(held: HeldJob<N>): Promise<void> {
    if (held.delivery.ageMs > PASS_ON_MAX_MS) return held.finish(RESPONSES.ended);
    const now = performance.now();
    if (now - this.#passed.since > PASS_ON_HOLD_MS) this.#passed = { count: 0, since: now };
    this.#passed.count += 1;
    if (this.#passed.count <= PASSES_PER_WORKER * this.#consumer.concurrency) return held.returnToQueue();
    this.#running.add(held);
    held.startHeartbeat();
    this.#heldForOthers += 1;
    const waitMs = Math.max(PASS_ON_HOLD_MS, this.#heldForOthers * PASS_ON_INTERVAL_MS);
    void this.#returnLater(held, waitMs).finally(() => {
      this.#heldForOthers -= 1;
    });
  }

  /** Returns whether the job may be crashing its nodes. */
  #isSuspect({ delivery: { attempts } }: HeldJob<N>): boolean {
    const { suspectFrom = Number.POSITIVE_INFINITY, maxAttempts } = this.#consumer;
    return attempts >= suspectFrom && attempts <= maxAttempts;
  }

  /**
   * Returns a suspect for a node without one. Next to another suspect, it might be blamed for that one's
   * crash.
   */
  async #returnSuspect(held: HeldJob<N>, other: Promise<void>): Promise<void> {
    await held.returnToQueue();
    // Otherwise this worker would request it again first.
    await other;
  }

  /** Runs the job. @returns the response for the server */
  async #do(job: Jobs[N], held: HeldJob<N>): Promise<string> {
    const { handle, timeoutMs = MAX_DURATION_MS, maxAttempts, maxErrors = maxAttempts } = this.#consumer;
    const { delivery } = held;
    if (delivery.attempts > maxAttempts)
      return this.#fail(job, held, new NodesLostError(delivery.attempts - 1));
    try {
      await this.#inScope(held, () => held.runWithin(timeoutMs, signal => handle(job, signal)));
      return RESPONSES.done;
    } catch (error) {
      if (held.signal.aborted) return RESPONSES.ended;
      if (error instanceof JobTimeoutError) {
        if (delivery.attempts >= maxAttempts) return this.#fail(job, held, error);
        return retryAfter(backoffMs(delivery.attempts, JOB_RETRIES));
      }
      delivery.errors += 1;
      return delivery.errors >= maxErrors ? this.#fail(job, held, asError(error)) : LATER;
    }
  }

  async #fail(job: Jobs[N], held: HeldJob<N>, reason: Error): Promise<string> {
    for (let attempt = 1; attempt <= REPORT_ATTEMPTS && !held.signal.aborted; attempt++) {
      try {
        await this.#inScope(held, () => this.#consumer.fail(job, reason));
        return RESPONSES.ended;
      } catch (error) {
        this.#context.log.warn(JOB_MESSAGES.notReported(this.#name, messageOf(error)));
        await delay(backoffMs(attempt, JOB_RETRIES), undefined, { signal: this.#stopping.signal }).catch(
          () => {},
        );
      }
    }
    return held.signal.aborted ? RESPONSES.ended : retryAfter(backoffMs(held.delivery.attempts, JOB_RETRIES));
  }

  #inScope({ delivery }: HeldJob<N>, work: () => Promise<void>): Promise<void> {
    return runJob({ ...delivery, name: this.#name }, this.#context.tracer, work);
  }

  async #pause(): Promise<void> {
    await delay(PAUSE_MS, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }
}
