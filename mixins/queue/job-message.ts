import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { headers, type Msg, type MsgHdrs } from "nats";
import {
  CONTRACTS,
  type ContractRange,
  contractRange,
  NO_CONTRACTS,
  REGIONAL_JOBS,
} from "../../shared/contracts/contract-version.ts";
import type { JobName, Jobs } from "../../shared/contracts/runs/jobs.ts";
import type { EnqueueOptions } from "../../shared/contracts/work-queue.ts";
import { readOrigin, type WorkOrigin } from "../../shared/tracing/work-scope.ts";
import { JOB_MESSAGES } from "../texts.ts";
import { originOfJob } from "./job-scope.ts";

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Compressing smaller jobs costs more than it saves. */
const DEFLATE_ABOVE_BYTES = 16_384;
/** A job comes from a body of at most 1 MiB. No real job is near this. */
const INFLATED_MAX_BYTES = 64 * 1_048_576;

const ENCODING = "Vrs-Encoding";
/** The contracts of the node that wrote the job: its version, and the oldest that can read it. */
const CONTRACT = "Vrs-Contract";
const ATTEMPTS = "Vrs-Begun";
const ERRORS = "Vrs-Thrown";
/** When the server got the job first, ms since 1970. Jobs that were never returned have none. */
const QUEUED_AT = "Vrs-Queued";
const MESSAGE_ID = "Nats-Msg-Id";
/** Id of the request that the job goes back to. */
const REQUEST = "Vrs-Request";
/** The span that queued the job, as in W3C Trace Context. */
const TRACE = "traceparent";
/** Headers that a returned job keeps. */
const KEPT_HEADERS = [ENCODING, CONTRACT, REQUEST, TRACE];

/** A job as a message. */
export interface JobMessage {
  subject: string;
  data: Uint8Array;
  headers: MsgHdrs;
}

/** The origin of a job, and its counts. */
export interface JobDelivery {
  fairKey: string;
  id: string;
  /** How often it was started without throwing, including this time. */
  attempts: number;
  /** How often it threw. */
  errors: number;
  /** Its sequence number in the stream. */
  sequence: number;
  /** When it was queued first, by the server's clock, ms since 1970. */
  queuedAtMs: number;
  /** How long it was queued until a node returned it last. 0 if none did. */
  ageMs: number;
  /** Contracts of the node that wrote it. */
  contracts: ContractRange;
  /** The request that it goes back to. Null in jobs of older nodes. */
  origin: WorkOrigin | null;
}

/** Returns the subjects of all jobs of a name. */
export function subjectsOf(name: JobName): string {
  return `vrs.work.${name}.>`;
}

/** Returns a subject of the name's stream that no job has. */
export function probeOf(name: JobName): string {
  return `vrs.work.${name}.probe`;
}

/** Returns the subjects of a key's jobs of a name. @throws Error if the key is not a token */
export function subjectsOfKey(name: JobName, fairKey: string): string {
  return `vrs.work.${name}.${token(fairKey)}.*`;
}

/** Returns the last token of a job's subject. */
export function idOfSubject(subject: string): string {
  return subject.slice(subject.lastIndexOf(".") + 1);
}

/**
 * Encodes a job as a message. A long one is compressed. @throws Error if its id or key can't be part of a
 * subject
 */
export async function encodeJob<N extends JobName>(
  name: N,
  job: Jobs[N],
  options: EnqueueOptions,
): Promise<JobMessage> {
  const { id, fairKey, attempt = 1 } = options;
  const head = headers();
  head.set(MESSAGE_ID, `${token(fairKey)}.${token(id)}.${attempt}`);
  const plain = Buffer.from(JSON.stringify(job));
  const long = plain.length > DEFLATE_ABOVE_BYTES;
  if (long) head.set(ENCODING, "deflate");
  const { version, oldest } = contractsOf(job);
  head.set(CONTRACT, `${version} ${oldest}`);
  const { requestId, traceparent } = originOfJob(options) ?? {};
  if (requestId !== undefined) head.set(REQUEST, requestId);
  if (traceparent !== undefined) head.set(TRACE, traceparent);
  return {
    subject: `vrs.work.${name}.${fairKey}.${id}`,
    data: long ? await deflate(plain) : plain,
    headers: head,
  };
}

/** Decodes a job. @throws Error if the message holds none */
export async function decodeJob<N extends JobName>(message: Pick<Msg, "data" | "headers">): Promise<Jobs[N]> {
  const long = message.headers?.get(ENCODING) === "deflate";
  const plain = long
    ? await inflate(message.data, { maxOutputLength: INFLATED_MAX_BYTES })
    : Buffer.from(message.data);
  const job: Jobs[N] = JSON.parse(plain.toString("utf8"));
  return job;
}

/** Reads the origin and counts of a job. @throws Error if JetStream did not deliver the message as a job */
export function readDelivery(message: Pick<Msg, "subject" | "reply" | "headers">): JobDelivery {
  // $JS.ACK.[domain.account.]stream.consumer.deliveries.streamSequence.consumerSequence.time.pending[.random]
  const parts = message.reply?.split(".") ?? [];
  const at = parts.length === 9 ? 4 : 6;
  const [deliveries, sequence] = [Number(parts[at]), Number(parts[at + 1])];
  const [, , , fairKey, id, ...rest] = message.subject.split(".");
  if (parts[1] !== "ACK" || !deliveries || !sequence || !fairKey || !id || rest.length > 0)
    throw new Error(JOB_MESSAGES.notAJob(message.subject, message.reply));
  const before = Number(message.headers?.get(ATTEMPTS) ?? "");
  const errors = Number(message.headers?.get(ERRORS) ?? "");
  const contracts = readContracts(message.headers?.get(CONTRACT));
  const origin = readOrigin(message.headers?.get(REQUEST), message.headers?.get(TRACE));
  // In ns, which is more than a number can hold exactly.
  const arrivedAtMs = Math.floor(Number(parts[at + 3]) / 1_000_000);
  const queuedAtMs = Number(message.headers?.get(QUEUED_AT) || arrivedAtMs);
  const ageMs = arrivedAtMs - queuedAtMs;
  const attempts = deliveries + before;
  return { fairKey, id, sequence, queuedAtMs, ageMs, errors, contracts, attempts, origin };
}

/** Returns the message that queues the same job again. Its start on this node doesn't count. */
export function returnedJob(
  message: Msg,
  {
    attempts,
    errors,
    sequence,
    queuedAtMs,
  }: Omit<JobDelivery, "fairKey" | "id" | "contracts" | "ageMs" | "origin">,
): JobMessage {
  const head = headers();
  // The old sequence number makes the id new, and keeps it the same if this message is sent again.
  const name = (message.headers?.get(MESSAGE_ID) ?? "").split(".").slice(0, 3).join(".");
  head.set(MESSAGE_ID, `${name}.${sequence}`);
  head.set(ATTEMPTS, String(attempts - 1));
  head.set(ERRORS, String(errors));
  head.set(QUEUED_AT, String(queuedAtMs));
  for (const kept of KEPT_HEADERS) {
    const value = message.headers?.get(kept);
    if (value) head.set(kept, value);
  }
  return { subject: message.subject, data: message.data, headers: head };
}

/** Returns the contracts of a job. A node that doesn't know regions would capture a region's pages from elsewhere. */
function contractsOf(job: Jobs[JobName]): ContractRange {
  const isRegional = "region" in job && job.region !== undefined;
  return isRegional ? { ...CONTRACTS, oldest: REGIONAL_JOBS } : CONTRACTS;
}

/** Jobs of the first version have no header. */
function readContracts(header = ""): ContractRange {
  const [version, oldest] = header === "" ? [1, 1] : header.split(" ").map(Number);
  return contractRange.catch(NO_CONTRACTS).parse({ version, oldest });
}

function token(part: string): string {
  if (/^[A-Za-z0-9_-]{1,200}$/.test(part)) return part;
  throw new Error(JOB_MESSAGES.badName(part));
}
