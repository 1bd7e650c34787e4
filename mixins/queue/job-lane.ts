import { setTimeout as delay } from "node:timers/promises";
import { asError } from "../../shared/as-error.ts";
import { backoffMs } from "../../shared/backoff.ts";
import type { JobName, Jobs } from "../../shared/contracts/runs/jobs.ts";
import { type Consumer, JOB_RETRIES, NodesLostError } from "../../shared/contracts/work-queue.ts";
import { JOB_MESSAGES } from "../texts.ts";
import { ANSWERS, againAfter, HeldJob, type LaneRig, OverdueError } from "./held-job.ts";
import { CONSUMER, streamOf, wordsOf } from "./job-streams.ts";
import type { NatsSession } from "./nats-connection.ts";
import { PullInbox } from "./pull-inbox.ts";

/** Between two requests of which the first brought nothing at once. */
const PAUSE_MS = 250;
/** After a job for another node; as long, those it is for have it to themselves. */
const PASS_ON_PAUSE_MS = 500;
/** How often its owner is told of a job that is given up, before the job has to come again for it. */
const TELL_TRIES = 3;
/** What takes longer hangs, and would be kept for ever. */
const LONGEST_MS = 15 * 60_000;
/** No answer yet. */
const LATER = "";

/** The workers of one kind of job on this node: each asks for one job, does it and answers. */
export class JobLane<N extends JobName> {
  readonly #name: N;
  readonly #consumer: Consumer<N>;
  readonly #rig: LaneRig;
  readonly #stopping = new AbortController();
  readonly #underWay = new Set<HeldJob<N>>();
  readonly #workers: Promise<void>[];
  #inbox: PullInbox | null = null;
  /** Resolves when the suspect that is under way has ended. */
  #suspect: Promise<void> | null = null;

  constructor(name: N, consumer: Consumer<N>, rig: LaneRig) {
    this.#name = name;
    this.#consumer = consumer;
    this.#rig = rig;
    this.#workers = Array.from({ length: consumer.concurrency }, () => this.#workOn());
  }

  /** Aborts the key's jobs. */
  drop(fairKey: string): void {
    for (const held of this.#underWay) if (held.delivery.fairKey === fairKey) held.drop();
  }

  /** Takes no more jobs; those under way have this long, then they go to other nodes. */
  async stop(withinMs: number): Promise<void> {
    this.#stopping.abort();
    const finished = Promise.all(this.#workers);
    await this.#inbox?.withdraw();
    await Promise.race([finished, delay(withinMs, undefined, { ref: false })]);
    await Promise.all([...this.#underWay].map(held => held.handBack()));
  }

  async #workOn(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        const held = await this.#next();
        if (held) await this.#take(held);
      } catch (error) {
        this.#rig.log.warn(JOB_MESSAGES.workerFailed(this.#name, wordsOf(error)));
        await this.#pause();
      }
    }
  }

  async #next(): Promise<HeldJob<N> | null> {
    await this.#ready();
    const session = await this.#rig.connection.session(this.#stopping.signal);
    if (!session || this.#stopping.signal.aborted) return null;
    const askedAt = performance.now();
    const inbox = await this.#inboxOf(session);
    if (this.#stopping.signal.aborted) return null;
    const pulled = await inbox.pull();
    if (typeof pulled !== "string") return HeldJob.of(this.#name, this.#rig, pulled, session);
    if (pulled === "missing" && !session.lost.aborted) await this.#rig.streams.restore(session.client);
    if (performance.now() - askedAt < PAUSE_MS) await this.#pause();
    return null;
  }

  /** Waits until the consumer can do jobs, or the lane stops. */
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

  async #inboxOf(session: NatsSession): Promise<PullInbox> {
    // A server that was restarted may have lost its store; asked for a job it would say nothing.
    if (this.#inbox?.session !== session) await this.#rig.streams.ensure(session.client);
    if (this.#inbox?.session === session) return this.#inbox;
    this.#inbox = new PullInbox(session, streamOf(this.#name), CONSUMER, message => {
      // It came after its worker had stopped waiting for it.
      const held = HeldJob.of(this.#name, this.#rig, message, session);
      if (held) void held.handBack();
    });
    return this.#inbox;
  }

  async #take(held: HeldJob<N>): Promise<void> {
    const job = await held.decode();
    if (!job) return held.settle(ANSWERS.ended);
    if (this.#stopping.signal.aborted) return held.handBack();
    if (this.#consumer.fits?.(job) === false) return this.#passOn(held);
    const suspect = this.#isSuspect(held);
    if (suspect && this.#suspect) return this.#makeWay(held, this.#suspect);
    const ended = Promise.withResolvers<void>();
    if (suspect) this.#suspect = ended.promise;
    this.#underWay.add(held);
    held.keep();
    let later = false;
    try {
      const answer = await this.#do(job, held);
      later = answer === LATER;
      if (later) void this.#giveLater(held);
      else await held.settle(answer);
    } finally {
      if (!later) this.#forget(held);
      if (suspect) this.#suspect = null;
      ended.resolve();
    }
  }

  #forget(held: HeldJob<N>): void {
    held.letGo();
    this.#underWay.delete(held);
  }

  /** Keeps a job that threw for a while, then gives it to whichever node asks; its worker does others meanwhile. */
  async #giveLater(held: HeldJob<N>): Promise<void> {
    try {
      // Aborted also when the node stops, which then hands it back itself.
      await delay(backoffMs(held.delivery.thrown, JOB_RETRIES), undefined, { signal: held.signal }).catch(
        () => {},
      );
      await held.handBack();
    } catch (error) {
      this.#rig.log.warn(JOB_MESSAGES.notHandedBack(this.#name, wordsOf(error)));
    } finally {
      this.#forget(held);
    }
  }

  /** Gives a job to a node that may do it, and lets those ask first. */
  async #passOn(held: HeldJob<N>): Promise<void> {
    await held.handBack();
    await delay(PASS_ON_PAUSE_MS, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }

  /** Whether the job may be what takes its nodes down. */
  #isSuspect({ delivery: { begun } }: HeldJob<N>): boolean {
    const { suspectFrom = Number.POSITIVE_INFINITY, tries } = this.#consumer;
    return begun >= suspectFrom && begun <= tries;
  }

  /** Gives a suspect to a node without one, if there is any: beside the other it might go down for that one's fault. */
  async #makeWay(held: HeldJob<N>, other: Promise<void>): Promise<void> {
    await held.handBack();
    // Else this worker would be the first to ask for it.
    await other;
  }

  /** Does the job. @returns what to answer */
  async #do(job: Jobs[N], held: HeldJob<N>): Promise<string> {
    const { handle, longestMs = LONGEST_MS, tries, patience = tries } = this.#consumer;
    const { delivery } = held;
    if (delivery.begun > tries) return this.#giveUp(job, held, new NodesLostError(delivery.begun - 1));
    try {
      await held.within(longestMs, signal => handle(job, signal));
      return ANSWERS.done;
    } catch (error) {
      if (held.signal.aborted) return ANSWERS.ended;
      if (error instanceof OverdueError) {
        if (delivery.begun >= tries) return this.#giveUp(job, held, error);
        return againAfter(backoffMs(delivery.begun, JOB_RETRIES));
      }
      delivery.thrown += 1;
      return delivery.thrown >= patience ? this.#giveUp(job, held, asError(error)) : LATER;
    }
  }

  async #giveUp(job: Jobs[N], held: HeldJob<N>, reason: Error): Promise<string> {
    for (let tried = 1; tried <= TELL_TRIES && !held.signal.aborted; tried++) {
      try {
        await this.#consumer.giveUp(job, reason);
        return ANSWERS.ended;
      } catch (error) {
        this.#rig.log.warn(JOB_MESSAGES.notReported(this.#name, wordsOf(error)));
        await delay(backoffMs(tried, JOB_RETRIES), undefined, { signal: this.#stopping.signal }).catch(
          () => {},
        );
      }
    }
    return held.signal.aborted ? ANSWERS.ended : againAfter(backoffMs(held.delivery.begun, JOB_RETRIES));
  }

  async #pause(): Promise<void> {
    await delay(PAUSE_MS, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }
}
