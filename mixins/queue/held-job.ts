import { setTimeout as delay } from "node:timers/promises";
import type { Msg } from "nats";
import type { JobName, Jobs } from "../../shared/contracts/runs/jobs.ts";
import type { Tracer } from "../../shared/tracing/work-scope.ts";
import { JOB_MESSAGES } from "../texts.ts";
import { decodeJob, type JobDelivery, type JobMessage, readDelivery, returnedJob } from "./job-message.ts";
import { ACK_WAIT_MS, type JobStreams, messageOf } from "./job-streams.ts";
import { during, type Log, type NatsConnection, type NatsSession } from "./nats-connection.ts";

/** Several within the ack wait, so that a lost one doesn't give the job to another node. */
const HEARTBEAT_MS = 3_000;
const RESPONSE_TIMEOUT_MS = 2_500;
/** After this many, the job is delivered again in any case. */
const RESPONSE_ATTEMPTS = ACK_WAIT_MS / RESPONSE_TIMEOUT_MS;
const PAUSE_MS = 250;

const ACK = "+ACK";
const NAK = "-NAK";
const TERM = "+TERM";
const WORKING = "+WPI";

/** Responses to the server about a job. */
export const RESPONSES = { done: ACK, ended: TERM } as const;

/** Returns the response that delivers the job again, to any node, after a delay. */
export function retryAfter(delayMs: number): string {
  return `${NAK} ${JSON.stringify({ delay: delayMs * 1_000_000 })}`;
}

/** A hanging job may have harmed its node. It counts like one that crashed it. */
export class JobTimeoutError extends Error {
  constructor(timeoutMs: number) {
    super(JOB_MESSAGES.overdue(timeoutMs / 1000));
    this.name = "JobTimeoutError";
  }
}

/** Dependencies of a lane and its jobs. */
export interface LaneContext {
  connection: NatsConnection;
  streams: JobStreams;
  log: Log;
  /** Undefined if tracing is off. */
  tracer: Tracer | undefined;
  /** @throws Error if no stream accepted it */
  publish(message: JobMessage): Promise<void>;
}

/** A job that this node holds. It keeps the job from other nodes, and returns or ends it. */
export class HeldJob<N extends JobName> {
  readonly delivery: JobDelivery;
  readonly #name: N;
  readonly #context: LaneContext;
  readonly #message: Msg;
  /** The session it came from. Another stream of the same name would take a response for another job's. */
  readonly #session: NatsSession;
  readonly #createdAtOf: string;
  #abort = new AbortController();
  /** Whether it was acknowledged, or returned. What its handler still does has no effect. */
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

  /** Reads a job. @returns null for a message that is not a job; it is discarded */
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

  /** Aborts when the job was dropped, or another node has it. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Decodes the job. Returns null if it can't be read. */
  async decode(): Promise<Jobs[N] | null> {
    try {
      return await decodeJob<N>(this.#message);
    } catch (error) {
      this.#context.log.warn(JOB_MESSAGES.unreadable(this.#message.subject, messageOf(error)));
      return null;
    }
  }

  /** Keeps the job from other nodes until `stopHeartbeat`. */
  startHeartbeat(): void {
    this.#heartbeat = setInterval(() => {
      try {
        this.#message.respond(WORKING);
      } catch {
        // The connection is closing. The job is returned, or delivered again.
      }
    }, HEARTBEAT_MS);
  }

  stopHeartbeat(): void {
    clearInterval(this.#heartbeat);
  }

  /** Aborts a job that is no longer needed. */
  drop(): void {
    this.#abort.abort();
  }

  /** Runs a handler for a bounded time. @throws JobTimeoutError if the time is up */
  async runWithin(timeoutMs: number, handle: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const abort = this.#abort;
    const overdue = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      overdue.reject(new JobTimeoutError(timeoutMs));
      // A dropped job stays dropped. Any other is aborted only here, and retried.
      if (!abort.signal.aborted) this.#abort = new AbortController();
      abort.abort();
    }, timeoutMs);
    try {
      await Promise.race([handle(abort.signal), overdue.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Acknowledges the job, unless another node has it. */
  async finish(answer: string): Promise<void> {
    if (this.#isFinished) return;
    this.#isFinished = true;
    await this.#answer(answer);
  }

  /** Returns the job for another node. Its start here doesn't count. */
  async returnToQueue(): Promise<void> {
    if (this.#isFinished) return;
    this.#isFinished = true;
    const isDropped = this.signal.aborted;
    this.#abort.abort();
    if (isDropped) return this.#answer(TERM);
    try {
      // First the new message, then the old one. Two messages in between are harmless, but none would lose
      // the job.
      await this.#context.publish(returnedJob(this.#message, this.delivery));
      await this.#answer(ACK);
    } catch {
      this.#message.respond(NAK);
    }
  }

  /** Responds until the server has the response, or would have given the job to another node. */
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
