import { setTimeout as delay } from "node:timers/promises";
import type { Msg } from "nats";
import type { JobName, Jobs } from "../../shared/contracts/runs/jobs.ts";
import { JOB_MESSAGES } from "../texts.ts";
import { type Delivery, decodeJob, deliveryOf, handedBack, type JobMessage } from "./job-message.ts";
import { ACK_WAIT_MS, type JobStreams, wordsOf } from "./job-streams.ts";
import { during, type Log, type NatsConnection, type NatsSession } from "./nats-connection.ts";

/** Several within the wait, so that one lost on its way does not make the job come to another node. */
const HEARTBEAT_MS = 3_000;
const ANSWER_WITHIN_MS = 2_500;
/** After as long, the job comes again in any case. */
const ANSWER_TRIES = ACK_WAIT_MS / ANSWER_WITHIN_MS;
const PAUSE_MS = 250;

const ACK = "+ACK";
const NAK = "-NAK";
const TERM = "+TERM";
const WORKING = "+WPI";

/** What to tell the server of a job. */
export const ANSWERS = { done: ACK, ended: TERM } as const;

/** The job is to come again, to any node, after so long. */
export function againAfter(delayMs: number): string {
  return `${NAK} ${JSON.stringify({ delay: delayMs * 1_000_000 })}`;
}

/** A job that hangs may have harmed its node, and counts like one that took it down. */
export class OverdueError extends Error {
  constructor(longestMs: number) {
    super(JOB_MESSAGES.overdue(longestMs / 1000));
    this.name = "OverdueError";
  }
}

/** What a lane and its jobs work with. */
export interface LaneRig {
  connection: NatsConnection;
  streams: JobStreams;
  log: Log;
  /** @throws Error when no stream took it */
  publish(message: JobMessage): Promise<void>;
}

/** A job that this node has and has to answer for: it keeps the job from others, and gives it back or ends it. */
export class HeldJob<N extends JobName> {
  readonly delivery: Delivery;
  readonly #name: N;
  readonly #rig: LaneRig;
  readonly #message: Msg;
  /** Where it came from: an answer to another stream of the same name would be taken for another job's. */
  readonly #session: NatsSession;
  readonly #bornAt: string;
  #abort = new AbortController();
  /** Answered, or on its way to another node: what its handler still does has no effect here. */
  #settled = false;
  #beat: NodeJS.Timeout | undefined;

  private constructor(name: N, rig: LaneRig, message: Msg, session: NatsSession) {
    this.delivery = deliveryOf(message);
    this.#name = name;
    this.#rig = rig;
    this.#message = message;
    this.#session = session;
    this.#bornAt = rig.streams.bornAt(name);
  }

  /** @returns null for a message that is no job; it is thrown away */
  static of<N extends JobName>(name: N, rig: LaneRig, message: Msg, session: NatsSession): HeldJob<N> | null {
    try {
      return new HeldJob(name, rig, message, session);
    } catch (error) {
      rig.log.warn(JOB_MESSAGES.discarded(name, wordsOf(error)));
      message.respond(TERM);
      return null;
    }
  }

  /** Aborted when the job was dropped, or is another node's now. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** What is to be done; null when it cannot be read. */
  async decode(): Promise<Jobs[N] | null> {
    try {
      return await decodeJob<N>(this.#message);
    } catch (error) {
      this.#rig.log.warn(JOB_MESSAGES.unreadable(this.#message.subject, wordsOf(error)));
      return null;
    }
  }

  /** Keeps it from other nodes until `letGo`. */
  keep(): void {
    this.#beat = setInterval(() => {
      try {
        this.#message.respond(WORKING);
      } catch {
        // The connection is being closed: the job is handed back or comes again.
      }
    }, HEARTBEAT_MS);
  }

  letGo(): void {
    clearInterval(this.#beat);
  }

  /** Nobody wants it done any more. */
  drop(): void {
    this.#abort.abort();
  }

  /** Does something with it, for a bounded time. @throws OverdueError when that is over */
  async within(longestMs: number, handle: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const abort = this.#abort;
    const overdue = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      overdue.reject(new OverdueError(longestMs));
      // One that was dropped stays dropped; any other is aborted here only, and tried again.
      if (!abort.signal.aborted) this.#abort = new AbortController();
      abort.abort();
    }, longestMs);
    try {
      await Promise.race([handle(abort.signal), overdue.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Answers for it, unless another node has it by now. */
  async settle(answer: string): Promise<void> {
    if (this.#settled) return;
    this.#settled = true;
    await this.#answer(answer);
  }

  /** Gives it to another node; that it was begun here does not count. */
  async handBack(): Promise<void> {
    if (this.#settled) return;
    this.#settled = true;
    const dropped = this.signal.aborted;
    this.#abort.abort();
    if (dropped) return this.#answer(TERM);
    try {
      // First the new one, then the old: in between there are two, which is harmless; none would be a loss.
      await this.#rig.publish(handedBack(this.#message, this.delivery));
      await this.#answer(ACK);
    } catch {
      this.#message.respond(NAK);
    }
  }

  /** Answers until the server has heard it, or would have given the job to another node. */
  async #answer(answer: string): Promise<void> {
    const { connection, streams } = this.#rig;
    const { reply } = this.#message;
    for (let tried = 0; tried < ANSWER_TRIES; tried++) {
      const session = await connection.session(AbortSignal.timeout(ANSWER_WITHIN_MS));
      if (!session || !reply) continue;
      try {
        if (session !== this.#session && !(await streams.ensure(session.client))) continue;
        if (streams.bornAt(this.#name) !== this.#bornAt) return;
        await during(session, session.client.request(reply, answer, { timeout: ANSWER_WITHIN_MS }));
        return;
      } catch {
        await delay(PAUSE_MS);
      }
    }
  }
}
