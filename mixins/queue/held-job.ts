import { setTimeout as delay } from "node:timers/promises";
import type { Msg } from "nats";
import type { JobName, Jobs } from "../../shared/contracts/runs/jobs.ts";
import { JOB_MESSAGES } from "../texts.ts";
import { decodeJob, type JobDelivery, type JobMessage, readDelivery, returnedJob } from "./job-message.ts";
import { ACK_WAIT_MS, type JobStreams, messageOf } from "./job-streams.ts";
import { during, type Log, type NatsConnection, type NatsSession } from "./nats-connection.ts";

/** Several within the wait, so that one lost on its way does not make the job come to another node. */
const HEARTBEAT_MS = 3_000;
const RESPONSE_TIMEOUT_MS = 2_500;
/** After as long, the job comes again in any case. */
const RESPONSE_ATTEMPTS = ACK_WAIT_MS / RESPONSE_TIMEOUT_MS;
const PAUSE_MS = 250;

const ACK = "+ACK";
const NAK = "-NAK";
const TERM = "+TERM";
const WORKING = "+WPI";

/** What to tell the server of a job. */
export const RESPONSES = { done: ACK, ended: TERM } as const;

/** The job is to come again, to any node, after so long. */
export function retryAfter(delayMs: number): string {
  return `${NAK} ${JSON.stringify({ delay: delayMs * 1_000_000 })}`;
}

/** A job that hangs may have harmed its node, and counts like one that took it down. */
export class JobTimeoutError extends Error {
  constructor(timeoutMs: number) {
    super(JOB_MESSAGES.overdue(timeoutMs / 1000));
    this.name = "OverdueError";
  }
}

/** What a lane and its jobs work with. */
export interface LaneContext {
  connection: NatsConnection;
  streams: JobStreams;
  log: Log;
  /** @throws Error when no stream took it */
  publish(message: JobMessage): Promise<void>;
}

/** A job that this node has and has to answer for: it keeps the job from others, and gives it back or ends it. */
export class HeldJob<N extends JobName> {
  readonly delivery: JobDelivery;
  readonly #name: N;
  readonly #context: LaneContext;
  readonly #message: Msg;
  /** Where it came from: an answer to another stream of the same name would be taken for another job's. */
  readonly #session: NatsSession;
  readonly #createdAtOf: string;
  #abort = new AbortController();
  /** Answered, or on its way to another node: what its handler still does has no effect here. */
  #isFinished = false;
  #heartbeat: NodeJS.Timeout | undefined;

  private constructor(name: N, context: LaneContext, message: Msg, session: NatsSession) {
    this.delivery = readDelivery(message);
    this.#name = name;
    this.#context = context;
    this.#message = message;
    this.#session = session;
    this.#createdAtOf = context.streams.createdAtOf(name);
  }

  /** @returns null for a message that is no job; it is thrown away */
  static of<N extends JobName>(
    name: N,
    context: LaneContext,
    message: Msg,
    session: NatsSession,
  ): HeldJob<N> | null {
    try {
      return new HeldJob(name, context, message, session);
    } catch (error) {
      context.log.warn(JOB_MESSAGES.discarded(name, messageOf(error)));
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
      this.#context.log.warn(JOB_MESSAGES.unreadable(this.#message.subject, messageOf(error)));
      return null;
    }
  }

  /** Keeps it from other nodes until `letGo`. */
  startHeartbeat(): void {
    this.#heartbeat = setInterval(() => {
      try {
        this.#message.respond(WORKING);
      } catch {
        // The connection is being closed: the job is handed back or comes again.
      }
    }, HEARTBEAT_MS);
  }

  stopHeartbeat(): void {
    clearInterval(this.#heartbeat);
  }

  /** Nobody wants it done any more. */
  drop(): void {
    this.#abort.abort();
  }

  /** Does something with it, for a bounded time. @throws OverdueError when that is over */
  async runWithin(timeoutMs: number, handle: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const abort = this.#abort;
    const overdue = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      overdue.reject(new JobTimeoutError(timeoutMs));
      // One that was dropped stays dropped; any other is aborted here only, and tried again.
      if (!abort.signal.aborted) this.#abort = new AbortController();
      abort.abort();
    }, timeoutMs);
    try {
      await Promise.race([handle(abort.signal), overdue.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Answers for it, unless another node has it by now. */
  async finish(answer: string): Promise<void> {
    if (this.#isFinished) return;
    this.#isFinished = true;
    await this.#answer(answer);
  }

  /** Gives it to another node; that it was begun here does not count. */
  async returnToQueue(): Promise<void> {
    if (this.#isFinished) return;
    this.#isFinished = true;
    const isDropped = this.signal.aborted;
    this.#abort.abort();
    if (isDropped) return this.#answer(TERM);
    try {
      // First the new one, then the old: in between there are two, which is harmless; none would be a loss.
      await this.#context.publish(returnedJob(this.#message, this.delivery));
      await this.#answer(ACK);
    } catch {
      this.#message.respond(NAK);
    }
  }

  /** Answers until the server has heard it, or would have given the job to another node. */
  async #answer(answer: string): Promise<void> {
    const { connection, streams } = this.#context;
    const { reply } = this.#message;
    for (let attempt = 0; attempt < RESPONSE_ATTEMPTS; attempt++) {
      const session = await connection.session(AbortSignal.timeout(RESPONSE_TIMEOUT_MS));
      if (!session || !reply) continue;
      try {
        if (session !== this.#session && !(await streams.ensure(session.client))) continue;
        if (streams.createdAtOf(this.#name) !== this.#createdAtOf) return;
        await during(session, session.client.request(reply, answer, { timeout: RESPONSE_TIMEOUT_MS }));
        return;
      } catch {
        await delay(PAUSE_MS);
      }
    }
  }
}
