import { setTimeout as delay } from "node:timers/promises";
import { type NatsConnection as Client, ErrorCode, NatsError } from "nats";
import type { JobName, Jobs } from "../../shared/contracts/runs/jobs.ts";
import {
  type Consumer,
  type EnqueueOptions,
  JobTooLargeError,
  type QueueLoad,
  type WorkQueue,
} from "../../shared/contracts/work-queue.ts";
import type { Tracer } from "../../shared/tracing/work-scope.ts";
import { JOB_MESSAGES, NATS_MESSAGES } from "../texts.ts";
import type { LaneContext } from "./held-job.ts";
import { JobLane } from "./job-lane.ts";
import { encodeJob, type JobMessage } from "./job-message.ts";
import { isMissing, JobStreams, messageOf } from "./job-streams.ts";
import { during, type Log, NatsConnection, type NatsSession } from "./nats-connection.ts";

/** Longer than most pages take, and shorter than a supervisor waits before it kills the node. */
const STOP_TIMEOUT_MS = 8_000;
/** How long a job waits for a server that restarts. */
const ENQUEUE_TIMEOUT_MS = 10_000;
/** A stopping node has no time to wait for an unavailable server. */
const RETURN_TIMEOUT_MS = 2_000;
const RESPONSE_TIMEOUT_MS = 3_000;
const RETRY_DELAY_MS = 250;

interface Settings {
  /** As in NATS_URL. */
  addresses: readonly string[];
  /** Servers that store each job. */
  replicas: number;
  /** The node's name in the server's monitoring. */
  name: string;
  log: Log;
  /** Undefined if tracing is off. */
  tracer?: Tracer;
  /** Whether NATS gives this node only a worker's permissions. It waits until others create the streams. */
  isWorker?: boolean;
  stopTimeoutMs?: number;
}

/** The queue of a cluster: one JetStream work-queue stream for each kind of job, shared by all nodes. */
export class JetStreamQueue implements WorkQueue {
  readonly durable = true;
  readonly #connection: NatsConnection;
  readonly #streams: JobStreams;
  readonly #context: LaneContext;
  readonly #lanes = new Set<Pick<JobLane<JobName>, "drop" | "stop">>();
  readonly #stopping = new AbortController();
  readonly #stopTimeoutMs: number;
  #started: Promise<void> | null = null;
  #stopped: Promise<void> | null = null;

  constructor({
    addresses,
    replicas,
    name,
    log,
    tracer,
    isWorker = false,
    stopTimeoutMs = STOP_TIMEOUT_MS,
  }: Settings) {
    this.#connection = new NatsConnection(addresses, name, log);
    this.#streams = new JobStreams(isWorker ? null : replicas, log);
    this.#stopTimeoutMs = stopTimeoutMs;
    const publish = (message: JobMessage) => this.#publish(message, RETURN_TIMEOUT_MS);
    this.#context = { connection: this.#connection, streams: this.#streams, log, tracer, publish };
  }

  /** Connects, and creates missing streams on the server. Resolves when that is done, or at `stop`. */
  start(): Promise<void> {
    this.#started ??= this.#start();
    return this.#started;
  }

  async enqueue<N extends JobName>(name: N, job: Jobs[N], options: EnqueueOptions): Promise<void> {
    await this.#publish(await encodeJob(name, job, options), ENQUEUE_TIMEOUT_MS);
  }

  consume<N extends JobName>(name: N, consumer: Consumer<N>): void {
    if (this.#stopping.signal.aborted) return;
    this.#connection.open();
    this.#lanes.add(new JobLane(name, consumer, this.#context));
  }

  abort(fairKey: string): void {
    for (const lane of this.#lanes) lane.drop(fairKey);
  }

  drop(fairKey: string): Promise<void> {
    this.abort(fairKey);
    return this.#remove(fairKey, client => this.#streams.purge(client, fairKey));
  }

  dropWaiting(name: JobName, fairKey: string, ids: ReadonlySet<string>): Promise<void> {
    return this.#remove(fairKey, client => this.#streams.purgeJobs(client, name, fairKey, ids));
  }

  async #remove(fairKey: string, purge: (client: Client) => Promise<void>): Promise<void> {
    await this.#request(purge).catch((error: unknown) => {
      // The remaining jobs run in vain. Their owner ignores the results.
      this.#context.log.warn(JOB_MESSAGES.notRemoved(fairKey, messageOf(error)));
    });
  }

  idsOf(name: JobName, fairKey: string): Promise<Set<string>> {
    return this.#request(client => this.#streams.idsOf(client, name, fairKey));
  }

  repair(): Promise<void> {
    return this.#request(client => this.#streams.repair(client));
  }

  load(): Promise<QueueLoad[]> {
    return this.#request(client => this.#streams.load(client));
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    this.#stopped ??= Promise.all([...this.#lanes].map(lane => lane.stop(this.#stopTimeoutMs))).then(
      () => {},
    );
    return this.#stopped;
  }

  /** Stops, and disconnects from NATS. Jobs can be queued until then. */
  async close(): Promise<void> {
    await this.stop();
    await this.#connection.close();
  }

  async #start(): Promise<void> {
    this.#connection.open();
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const session = await this.#connection.session(signal);
      if (session && (await this.#streams.ensure(session.client))) return;
      await delay(RETRY_DELAY_MS, undefined, { signal }).catch(() => {});
    }
  }

  async #request<Answer>(request: (client: Client) => Promise<Answer>): Promise<Answer> {
    this.#connection.open();
    const session = await this.#connection.session(AbortSignal.timeout(ENQUEUE_TIMEOUT_MS));
    if (!session) throw new Error(NATS_MESSAGES.notConnected);
    return request(session.client);
  }

  /** @throws Error if no stream accepted the message in time */
  async #publish(message: JobMessage, timeoutMs: number): Promise<void> {
    this.#connection.open();
    const deadline = AbortSignal.timeout(timeoutMs);
    let reason: unknown = new Error(NATS_MESSAGES.notConnected);
    while (!deadline.aborted) {
      const session = await this.#connection.session(deadline);
      if (!session) break;
      try {
        await this.#send(session, message);
        return;
      } catch (error) {
        reason = error;
        if (isTooLarge(error)) break;
        if (isMissing(error)) await this.#streams.restore(session.client);
      }
      await delay(RETRY_DELAY_MS, undefined, { signal: deadline }).catch(() => {});
    }
    const Failure = isTooLarge(reason) ? JobTooLargeError : Error;
    throw new Failure(JOB_MESSAGES.notQueued(message.subject, this.#explain(reason, message)), {
      cause: reason,
    });
  }

  #explain(reason: unknown, { data }: JobMessage): string {
    if (isTooLarge(reason)) return JOB_MESSAGES.tooLarge(data.length);
    return isMissing(reason) && this.#streams.failure !== "" ? this.#streams.failure : messageOf(reason);
  }

  /** Sends a message. Resolves when a stream has it, also if the stream already had it. */
  async #send(session: NatsSession, { subject, data, headers }: JobMessage): Promise<void> {
    const options = { headers, timeout: RESPONSE_TIMEOUT_MS };
    await during(session, session.client.jetstream().publish(subject, data, options));
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof NatsError && error.code === ErrorCode.MaxPayloadExceeded;
}
