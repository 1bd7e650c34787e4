import { setTimeout as delay } from "node:timers/promises";
import type { Msg } from "nats";
import type { JobName, Jobs } from "../../shared/contracts/jobs.ts";
import { type Consumer, NodesLostError } from "../../shared/contracts/work-queue.ts";
import { retryAfterMs } from "../../shared/retry-after.ts";
import { type Delivery, decodeJob, deliveryOf, handedBack, type JobMessage } from "./job-message.ts";
import { ACK_WAIT_MS, CONSUMER, type JobStreams, streamOf } from "./job-streams.ts";
import { during, type Log, type NatsConnection, type NatsSession } from "./nats-connection.ts";
import { PullInbox } from "./pull-inbox.ts";

/** Several within the wait, so that one lost on its way does not make the job come to another node. */
const HEARTBEAT_MS = 3_000;
/** Between two requests of which the first brought nothing at once. */
const PAUSE_MS = 250;
const ANSWER_WITHIN_MS = 2_500;
/** After as long, the job comes again in any case. */
const ANSWER_TRIES = ACK_WAIT_MS / ANSWER_WITHIN_MS;
/** How often its owner is told of a job that is given up, before the job has to come again for it. */
const TELL_TRIES = 3;

/** Longer than a route of ten viewports that all reach their bounds: what takes longer hangs, and would be beaten for for ever. */
const LONGEST_MS = 15 * 60_000;

const ACK = "+ACK";
const NAK = "-NAK";
const TERM = "+TERM";
const WORKING = "+WPI";
/** No answer yet. */
const LATER = "";

/** What a lane works with. */
export interface LaneRig {
  connection: NatsConnection;
  streams: JobStreams;
  log: Log;
  /** @throws Error when no stream took it */
  publish(message: JobMessage): Promise<void>;
}

interface UnderWay extends Delivery {
  message: Msg;
  /** Where it came from: an answer to another stream of the same name would be taken for another job's. */
  session: NatsSession;
  bornAt: string;
  abort: AbortController;
  /** Answered, or on its way to another node: what its handler still does has no effect here. */
  settled: boolean;
}

/** A job that hangs may have harmed its node, and counts like one that took it down. */
class OverdueError extends Error {
  constructor(longestMs: number) {
    super(`The job was not done after ${longestMs / 1000} s.`);
    this.name = "OverdueError";
  }
}

/** The workers of one kind of job on this node: each asks for one job, does it and answers. */
export class JobLane<N extends JobName> {
  readonly #name: N;
  readonly #consumer: Consumer<N>;
  readonly #rig: LaneRig;
  readonly #stopping = new AbortController();
  readonly #underWay = new Set<UnderWay>();
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
    for (const entry of this.#underWay) if (entry.fairKey === fairKey) entry.abort.abort();
  }

  /** Takes no more jobs; those under way have this long, then they go to other nodes. */
  async stop(withinMs: number): Promise<void> {
    this.#stopping.abort();
    const finished = Promise.all(this.#workers);
    await this.#inbox?.withdraw();
    await Promise.race([finished, delay(withinMs, undefined, { ref: false })]);
    await Promise.all([...this.#underWay].map(entry => this.#handBack(entry)));
  }

  async #workOn(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        const taken = await this.#next();
        if (taken) await this.#take(taken);
      } catch (error) {
        this.#rig.log.warn(`A worker of ${this.#name} stumbled: ${wordsOf(error)}`);
        await this.#pause();
      }
    }
  }

  async #next(): Promise<UnderWay | null> {
    await this.#ready();
    const session = await this.#rig.connection.session(this.#stopping.signal);
    if (!session || this.#stopping.signal.aborted) return null;
    const askedAt = performance.now();
    const inbox = await this.#inboxOf(session);
    if (this.#stopping.signal.aborted) return null;
    const pulled = await inbox.pull();
    if (typeof pulled !== "string") return this.#entryOf(pulled, session);
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
      const entry = this.#entryOf(message, session);
      if (entry) void this.#handBack(entry);
    });
    return this.#inbox;
  }

  async #take(entry: UnderWay): Promise<void> {
    const job = await this.#decode(entry);
    if (!job) return this.#answer(entry, TERM);
    if (this.#stopping.signal.aborted) return this.#handBack(entry);
    const suspect = this.#isSuspect(entry);
    if (suspect && this.#suspect) return this.#makeWay(entry, this.#suspect);
    const ended = Promise.withResolvers<void>();
    if (suspect) this.#suspect = ended.promise;
    this.#underWay.add(entry);
    let later = false;
    const beat = setInterval(() => this.#beat(entry), HEARTBEAT_MS);
    try {
      const answer = await this.#do(job, entry);
      if (answer === LATER) {
        later = true;
        void this.#giveLater(entry, beat);
        return;
      }
      if (entry.settled) return;
      entry.settled = true;
      await this.#answer(entry, answer);
    } finally {
      if (!later) this.#forget(entry, beat);
      if (suspect) this.#suspect = null;
      ended.resolve();
    }
  }

  #forget(entry: UnderWay, beat: NodeJS.Timeout): void {
    clearInterval(beat);
    this.#underWay.delete(entry);
  }

  /** Keeps a job that threw for a while, then gives it to whichever node asks; its worker does others meanwhile. */
  async #giveLater(entry: UnderWay, beat: NodeJS.Timeout): Promise<void> {
    // Aborted also when the node stops, which then hands it back itself.
    const { signal } = entry.abort;
    try {
      await delay(retryAfterMs(entry.thrown), undefined, { signal }).catch(() => {});
      await this.#handBack(entry);
    } catch (error) {
      this.#rig.log.warn(`A job of ${this.#name} was not handed back and comes again: ${wordsOf(error)}`);
    } finally {
      this.#forget(entry, beat);
    }
  }

  /** Whether the job may be what takes its nodes down. */
  #isSuspect({ begun }: UnderWay): boolean {
    const { suspectFrom = Number.POSITIVE_INFINITY, tries } = this.#consumer;
    return begun >= suspectFrom && begun <= tries;
  }

  /** Gives a suspect to a node without one, if there is any: beside the other it might go down for that one's fault. */
  async #makeWay(entry: UnderWay, other: Promise<void>): Promise<void> {
    await this.#handBack(entry);
    // Else this worker would be the first to ask for it.
    await other;
  }

  /** Does the job. @returns what to answer */
  async #do(job: Jobs[N], entry: UnderWay): Promise<string> {
    const { tries, patience = tries } = this.#consumer;
    const { begun } = entry;
    if (begun > tries) {
      return this.#giveUp(job, entry, new NodesLostError(begun - 1));
    }
    try {
      await this.#handle(job, entry);
      return ACK;
    } catch (error) {
      if (entry.abort.signal.aborted) return TERM;
      if (error instanceof OverdueError)
        return begun >= tries ? this.#giveUp(job, entry, error) : nakAfter(retryAfterMs(begun));
      entry.thrown += 1;
      return entry.thrown >= patience ? this.#giveUp(job, entry, asError(error)) : LATER;
    }
  }

  /** Handles the job, for a bounded time. @throws Error also when that is over */
  async #handle(job: Jobs[N], entry: UnderWay): Promise<void> {
    const { handle, longestMs = LONGEST_MS } = this.#consumer;
    const { abort } = entry;
    const overdue = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      overdue.reject(new OverdueError(longestMs));
      // One that was dropped stays dropped; any other is aborted here only, and tried again.
      if (!abort.signal.aborted) entry.abort = new AbortController();
      abort.abort();
    }, longestMs);
    try {
      await Promise.race([handle(job, abort.signal), overdue.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #giveUp(job: Jobs[N], { begun, abort }: UnderWay, reason: Error): Promise<string> {
    for (let tried = 1; tried <= TELL_TRIES && !abort.signal.aborted; tried++) {
      try {
        await this.#consumer.giveUp(job, reason);
        return TERM;
      } catch (error) {
        this.#rig.log.warn(`The owner of a job of ${this.#name} was not told of its end: ${wordsOf(error)}`);
        await delay(retryAfterMs(tried), undefined, { signal: this.#stopping.signal }).catch(() => {});
      }
    }
    return abort.signal.aborted ? TERM : nakAfter(retryAfterMs(begun));
  }

  /** Gives a job to another node; that it was begun here does not count. */
  async #handBack(entry: UnderWay): Promise<void> {
    if (entry.settled) return;
    entry.settled = true;
    const dropped = entry.abort.signal.aborted;
    entry.abort.abort();
    if (dropped) return this.#answer(entry, TERM);
    try {
      // First the new one, then the old: in between there are two, which is harmless; none would be a loss.
      await this.#rig.publish(handedBack(entry.message, entry));
      await this.#answer(entry, ACK);
    } catch {
      entry.message.respond(NAK);
    }
  }

  #entryOf(message: Msg, session: NatsSession): UnderWay | null {
    try {
      const bornAt = this.#rig.streams.bornAt(this.#name);
      const abort = new AbortController();
      return { ...deliveryOf(message), message, session, bornAt, abort, settled: false };
    } catch (error) {
      this.#rig.log.warn(`A message of ${this.#name} was thrown away: ${wordsOf(error)}`);
      message.respond(TERM);
      return null;
    }
  }

  async #decode({ message }: UnderWay): Promise<Jobs[N] | null> {
    try {
      return await decodeJob<N>(message);
    } catch (error) {
      this.#rig.log.warn(`${message.subject} cannot be read and was thrown away: ${wordsOf(error)}`);
      return null;
    }
  }

  /** Answers until the server has heard it, or would have given the job to another node. */
  async #answer(entry: UnderWay, answer: string): Promise<void> {
    const { message, session: origin, bornAt } = entry;
    for (let tried = 0; tried < ANSWER_TRIES; tried++) {
      const session = await this.#rig.connection.session(AbortSignal.timeout(ANSWER_WITHIN_MS));
      if (!session || !message.reply) continue;
      try {
        if (session !== origin && !(await this.#rig.streams.ensure(session.client))) continue;
        if (this.#rig.streams.bornAt(this.#name) !== bornAt) return;
        const options = { timeout: ANSWER_WITHIN_MS };
        await during(session, session.client.request(message.reply, answer, options));
        return;
      } catch {
        await this.#pause();
      }
    }
  }

  #beat({ message }: UnderWay): void {
    try {
      message.respond(WORKING);
    } catch {
      // The connection is being closed: the job is handed back or comes again.
    }
  }

  async #pause(): Promise<void> {
    await delay(PAUSE_MS, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }
}

function nakAfter(delayMs: number): string {
  return `${NAK} ${JSON.stringify({ delay: delayMs * 1_000_000 })}`;
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function wordsOf(error: unknown): string {
  return asError(error).message;
}
