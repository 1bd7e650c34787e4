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

/** How long a job stays with a silent node. */
export const ACK_WAIT_MS = 10_000;
/** Maximum of waiting workers on all nodes. The server's default is 512. */
const MAX_WAITING = 16_384;
const RESTORE_DELAY_MS = 1_000;
const NAME_IN_USE = 10_058;
const STREAM_NOT_FOUND = 10_059;
const SUBJECTS_OVERLAP = 10_065;
const NO_MESSAGE_FOUND = 10_037;
const MESSAGE_DELETE_FAILED = 10_057;

/** The only consumer of each stream. */
export const CONSUMER = "workers";

/** Returns the stream of a name's jobs. */
export function streamOf(name: JobName): string {
  return `vrs-${name}`;
}

/** The streams on the server, one for each job name. */
export class JobStreams {
  readonly #replicas: number | null;
  readonly #log: Log;
  readonly #createdAt = new Map<JobName, string>();
  readonly #ensuredFor = new WeakSet<Client>();
  #ensuring: Promise<boolean> | null = null;
  /** Why the last attempt to create the streams failed. Empty if it succeeded. */
  failure = "";

  /**
   * @param replicas servers that store each job. Null for a node that waits until others create the streams
   */
  constructor(replicas: number | null, log: Log) {
    this.#replicas = replicas;
    this.#log = log;
  }

  /**
   * Creates missing streams. Several nodes can do so concurrently. @returns false if it failed, with the
   * reason in `failure`
   */
  ensure(client: Client): Promise<boolean> {
    this.#ensuring ??= this.#ensureAll(client).finally(() => {
      this.#ensuring = null;
    });
    return this.#ensuring;
  }

  /** Creates missing streams again. */
  async restore(client: Client): Promise<boolean> {
    // The server reports a stream as deleted while it still deletes its files. It would delete the new one's
    // too.
    if (this.#ensuredFor.has(client) && !this.#ensuring) await delay(RESTORE_DELAY_MS);
    return this.ensure(client);
  }

  /**
   * Returns the creation time of the current stream. A stream that was created again counts its messages from
   * 1.
   */
  createdAtOf(name: JobName): string {
    return this.#createdAt.get(name) ?? "";
  }

  /** Returns the ids of the key's waiting and running jobs. */
  async idsOf(client: Client, name: JobName, fairKey: string): Promise<Set<string>> {
    const filter = subjectsOfKey(name, fairKey);
    const { state } = await this.#retryIfMissing(client, jsm =>
      jsm.streams.info(streamOf(name), { subjects_filter: filter }),
    );
    return new Set(Object.keys(state.subjects ?? {}).map(idOfSubject));
  }

  /** Returns the load of each stream. */
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

  /** Repairs the state of a server that was killed. */
  async repair(client: Client): Promise<void> {
    await Promise.all(
      JOB_NAMES.map(name => this.#retryIfMissing(client, jsm => repair(jsm, streamOf(name)))),
    );
  }

  /** Deletes the key's jobs. */
  async purge(client: Client, fairKey: string): Promise<void> {
    await Promise.all(JOB_NAMES.map(name => this.#retryIfMissing(client, jsm => purge(jsm, name, fairKey))));
  }

  /** Deletes some of the key's jobs. */
  async purgeJobs(client: Client, name: JobName, fairKey: string, ids: ReadonlySet<string>): Promise<void> {
    await this.#retryIfMissing(client, jsm => purge(jsm, name, fairKey, ids));
  }

  /** Sends a request, and retries it once the streams of a server that lost its store are created again. */
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

  /** Creates a missing stream. @returns its creation time */
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
      // With concurrent requests of two nodes, the server may report that the other's new stream overlaps.
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
 * Repairs a stream after its server was killed. The server may have finished jobs again. It delivers them to
 * no node, but counts them as running forever. Or it may have lost the latest jobs. It would then skip new
 * jobs that get their numbers.
 */
async function repair(jsm: JetStreamManager, stream: string): Promise<void> {
  // Read first: changes in the meantime only move the stream further from the broken state.
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
 * Deletes jobs one by one. A purge of subjects makes consumers of nats-server before 2.10.11 skip jobs of
 * other keys.
 * @param ids the jobs to delete. All by default
 */
async function purge(
  jsm: JetStreamManager,
  name: JobName,
  fairKey: string,
  ids?: ReadonlySet<string>,
): Promise<void> {
  const stream = streamOf(name);
  const { state } = await jsm.streams.info(stream, { subjects_filter: subjectsOfKey(name, fairKey) });
  const remove = async ([subject, count]: [string, number]) => {
    for (let left = count; left > 0; left--) {
      const { seq } = await jsm.streams.getMessage(stream, { last_by_subj: subject });
      await jsm.streams.deleteMessage(stream, seq, false);
    }
  };
  const wanted = Object.entries(state.subjects ?? {}).filter(
    ([subject]) => ids?.has(idOfSubject(subject)) ?? true,
  );
  const removed = await Promise.allSettled(wanted.map(remove));
  const failed = removed.find(result => result.status === "rejected" && !isDone(result.reason));
  if (failed?.status === "rejected") throw failed.reason;
}

/** Returns whether a message could not be found or deleted because it no longer exists. */
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
    // Consumers count the attempts, and report a failed job to its owner.
    max_deliver: -1,
    // The workers bound it, with one job each.
    max_ack_pending: -1,
    max_waiting: MAX_WAITING,
  };
}

/** Returns whether the stream or consumer doesn't exist, or no server responded for it. */
export function isMissing(error: unknown): boolean {
  if (!(error instanceof NatsError)) return false;
  const { api_error: api, code } = error;
  return api ? api.code === 404 || api.err_code === STREAM_NOT_FOUND : code === "503" || code === "404";
}

/** Returns an error of NATS as a message for operators. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof NatsError)) return error.message;
  const { api_error: api, code } = error;
  if (api?.description.includes("replicas")) return NATS_MESSAGES.tooManyReplicas(api.description);
  if (!api && code === "503") return NATS_MESSAGES.noJetStream;
  return api?.description ?? error.message;
}
