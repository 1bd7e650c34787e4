import { setTimeout as delay } from "node:timers/promises";
import {
  AckPolicy,
  type NatsConnection as Client,
  type ConsumerConfig,
  DeliverPolicy,
  type JetStreamManager,
  NatsError,
  nanos,
  ReplayPolicy,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from "nats";
import { JOB_NAMES, type JobName } from "../../shared/contracts/runs/jobs.ts";
import type { QueueLoad } from "../../shared/contracts/work-queue.ts";
import { JOB_MESSAGES, NATS_MESSAGES } from "../texts.ts";
import { idOfSubject, probeOf, subjectsOf, subjectsOfKey } from "./job-message.ts";
import type { Log } from "./nats-connection.ts";
import { waitForStream } from "./open-stream.ts";

/** How long a job stays with a node that says nothing of it, ms. */
export const ACK_WAIT_MS = 10_000;
/** Workers of all nodes that may wait for a job at once; the server's own bound is 512. */
const MAX_WAITING = 16_384;
const RESTORE_DELAY_MS = 1_000;
const NAME_IN_USE = 10_058;
const STREAM_NOT_FOUND = 10_059;
const SUBJECTS_OVERLAP = 10_065;
const NO_MESSAGE_FOUND = 10_037;
const MESSAGE_DELETE_FAILED = 10_057;

/** The one consumer of each stream. */
export const CONSUMER = "workers";

/** The stream that holds a name's jobs. */
export function streamOf(name: JobName): string {
  return `vrs-${name}`;
}

/** The streams on the server: one a job name, and what it has of each. */
export class JobStreams {
  readonly #replicas: number | null;
  readonly #log: Log;
  readonly #createdAt = new Map<JobName, string>();
  readonly #ensuredFor = new WeakSet<Client>();
  #ensuring: Promise<boolean> | null = null;
  /** Why the streams could not be made when that was tried last; empty when they could. */
  failure = "";

  /** @param replicas servers that keep each job; null for a node that waits until others make the streams */
  constructor(replicas: number | null, log: Log) {
    this.#replicas = replicas;
    this.#log = log;
  }

  /** Makes what is missing, however many nodes do so at once. @returns false when it could not; `fault` says why */
  ensure(client: Client): Promise<boolean> {
    this.#ensuring ??= this.#ensureAll(client).finally(() => {
      this.#ensuring = null;
    });
    return this.#ensuring;
  }

  /** Makes again what is gone. */
  async restore(client: Client): Promise<boolean> {
    // The server still removes the old stream's files when it says that it is deleted, and would remove the new one's.
    if (this.#ensuredFor.has(client) && !this.#ensuring) await delay(RESTORE_DELAY_MS);
    return this.ensure(client);
  }

  /** Which stream it is, of all that had its name: one made anew counts its messages from 1 again. */
  createdAtOf(name: JobName): string {
    return this.#createdAt.get(name) ?? "";
  }

  /** Ids of the key's jobs that are waiting or under way. */
  async idsOf(client: Client, name: JobName, fairKey: string): Promise<Set<string>> {
    const filter = subjectsOfKey(name, fairKey);
    const { state } = await this.#retryIfMissing(client, jsm =>
      jsm.streams.info(streamOf(name), { subjects_filter: filter }),
    );
    return new Set(Object.keys(state.subjects ?? {}).map(idOfSubject));
  }

  /** How full each stream is. */
  load(client: Client): Promise<QueueLoad[]> {
    return this.#retryIfMissing(client, jsm =>
      Promise.all(
        JOB_NAMES.map(async queue => {
          const [{ state }, consumer] = await Promise.all([
            jsm.streams.info(streamOf(queue)),
            jsm.consumers.info(streamOf(queue), CONSUMER),
          ]);
          const oldestAt = state.messages > 0 ? new Date(state.first_ts) : null;
          return { queue, waiting: consumer.num_pending, underWay: consumer.num_ack_pending, oldestAt };
        }),
      ),
    );
  }

  /** Puts right what a server that was killed has wrong when it is back. */
  async repair(client: Client): Promise<void> {
    await Promise.all(
      JOB_NAMES.map(name => this.#retryIfMissing(client, jsm => repair(jsm, streamOf(name)))),
    );
  }

  /** Removes the key's jobs. */
  async purge(client: Client, fairKey: string): Promise<void> {
    await Promise.all(JOB_NAMES.map(name => this.#retryIfMissing(client, jsm => purge(jsm, name, fairKey))));
  }

  /** Asks, and asks again when a server that lost its store has its streams again. */
  async #retryIfMissing<Answer>(
    client: Client,
    request: (jsm: JetStreamManager) => Promise<Answer>,
  ): Promise<Answer> {
    const jsm = await client.jetstreamManager({ checkAPI: false });
    try {
      return await request(jsm);
    } catch (error) {
      if (!isMissing(error) || !(await this.restore(client))) throw error;
      return request(jsm);
    }
  }

  async #ensureAll(client: Client): Promise<boolean> {
    try {
      const jsm = await client.jetstreamManager({ checkAPI: false });
      for (const name of JOB_NAMES) this.#createdAt.set(name, await this.#ensureOne(client, jsm, name));
      this.failure = "";
      this.#ensuredFor.add(client);
    } catch (error) {
      this.#reportFailure(
        this.#replicas === null && isMissing(error)
          ? JOB_MESSAGES.noQueues
          : JOB_MESSAGES.queuesNotCreated(messageOf(error)),
      );
    }
    return this.failure === "";
  }

  /** @returns when its stream was made */
  async #ensureOne(client: Client, jsm: JetStreamManager, name: JobName): Promise<string> {
    if (this.#replicas === null) {
      const { created } = await jsm.streams.info(streamOf(name));
      await jsm.consumers.info(streamOf(name), CONSUMER);
      return String(created);
    }
    const { created } = await this.#ensureStream(jsm, name, this.#replicas);
    await waitForStream(client, probeOf(name));
    await jsm.consumers.add(streamOf(name), consumerConfig());
    return String(created);
  }

  async #ensureStream(jsm: JetStreamManager, name: JobName, replicas: number): Promise<StreamInfo> {
    const config = streamConfig(name, replicas);
    try {
      return await jsm.streams.add(config);
    } catch (error) {
      const code = error instanceof NatsError ? error.api_error?.err_code : undefined;
      // A server that is asked by two nodes at once finds the one's new stream in the other's way.
      if (code === SUBJECTS_OVERLAP)
        await jsm.streams.info(streamOf(name)).catch(() => Promise.reject(error));
      else if (code !== NAME_IN_USE) throw error;
    }
    try {
      return await jsm.streams.update(streamOf(name), config);
    } catch (error) {
      this.#log.warn(JOB_MESSAGES.streamNotUpdated(streamOf(name), messageOf(error)));
      return jsm.streams.info(streamOf(name));
    }
  }

  #reportFailure(failure: string): void {
    if (failure !== this.failure) this.#log.warn(failure);
    this.failure = failure;
  }
}

/**
 * A server that was killed may have jobs again that were done: it gives them to nobody, and whoever asks what is under
 * way would be told so for ever. Or it may have lost the latest jobs, and would give nobody those that get their numbers.
 */
async function repair(jsm: JetStreamManager, stream: string): Promise<void> {
  // Asked first: what is done or queued meanwhile only moves the stream further from this.
  const { ack_floor, delivered } = await jsm.consumers.info(stream, CONSUMER);
  const { state } = await jsm.streams.info(stream);
  if (Math.max(ack_floor.stream_seq, delivered.stream_seq) > state.last_seq) {
    await jsm.consumers.delete(stream, CONSUMER);
    await jsm.consumers.add(stream, consumerConfig());
    return;
  }
  let { first_seq: first, messages } = state;
  while (messages > 0 && first <= ack_floor.stream_seq) {
    await jsm.streams.deleteMessage(stream, first, false).catch((error: unknown) => {
      if (!isDone(error)) throw error;
    });
    const before = first;
    ({ first_seq: first, messages } = (await jsm.streams.info(stream)).state);
    if (first === before) return;
  }
}

/**
 * One by one: a purge of subjects makes consumers of nats-server before 2.10.11 skip the jobs of other keys.
 */
async function purge(jsm: JetStreamManager, name: JobName, fairKey: string): Promise<void> {
  const stream = streamOf(name);
  const { state } = await jsm.streams.info(stream, { subjects_filter: subjectsOfKey(name, fairKey) });
  const remove = async ([subject, count]: [string, number]) => {
    for (let left = count; left > 0; left--) {
      const { seq } = await jsm.streams.getMessage(stream, { last_by_subj: subject });
      await jsm.streams.deleteMessage(stream, seq, false);
    }
  };
  const removed = await Promise.allSettled(Object.entries(state.subjects ?? {}).map(remove));
  const failed = removed.find(result => result.status === "rejected" && !isDone(result.reason));
  if (failed?.status === "rejected") throw failed.reason;
}

/** Whether a message could not be found or removed because it is not there any more. */
function isDone(error: unknown): boolean {
  const api = error instanceof NatsError ? error.api_error : undefined;
  return api?.err_code === NO_MESSAGE_FOUND || api?.err_code === MESSAGE_DELETE_FAILED;
}

function streamConfig(name: JobName, replicas: number): Partial<StreamConfig> & { name: string } {
  return {
    name: streamOf(name),
    subjects: [subjectsOf(name)],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    num_replicas: replicas,
  };
}

function consumerConfig(): ConsumerConfig {
  return {
    durable_name: CONSUMER,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ACK_WAIT_MS),
    deliver_policy: DeliverPolicy.All,
    replay_policy: ReplayPolicy.Instant,
    // Whoever takes a job counts how often it was begun, and tells its owner when it gives it up.
    max_deliver: -1,
    // Bounded by the workers, who have one job each.
    max_ack_pending: -1,
    max_waiting: MAX_WAITING,
  };
}

/** Whether the server answered that there is no such stream or consumer, or nobody answered for it. */
export function isMissing(error: unknown): boolean {
  if (!(error instanceof NatsError)) return false;
  const { api_error: api, code } = error;
  return api ? api.code === 404 || api.err_code === STREAM_NOT_FOUND : code === "503" || code === "404";
}

/** What an operator reads of an error of NATS. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof NatsError)) return error.message;
  const { api_error: api, code } = error;
  if (api?.description.includes("replicas")) return NATS_MESSAGES.tooManyReplicas(api.description);
  if (!api && code === "503") return NATS_MESSAGES.noJetStream;
  return api?.description ?? error.message;
}
