import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { headers, type Msg, type MsgHdrs } from "nats";
import type { JobName, Jobs } from "../../shared/contracts/runs/jobs.ts";
import type { EnqueueOptions } from "../../shared/contracts/work-queue.ts";
import { JOB_MESSAGES } from "../texts.ts";

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Below it, deflating costs more than the bytes it saves. */
const DEFLATE_ABOVE_BYTES = 16_384;
/** A job comes from a body of 1 MiB at most; nothing real is near this. */
const INFLATED_MAX_BYTES = 64 * 1_048_576;

const ENCODING = "Vrs-Encoding";
const ATTEMPTS = "Vrs-Begun";
const ERRORS = "Vrs-Thrown";
const MESSAGE_ID = "Nats-Msg-Id";

/** A job as it travels. */
export interface JobMessage {
  subject: string;
  data: Uint8Array;
  headers: MsgHdrs;
}

/** Where a job came from and how often it was tried. */
export interface JobDelivery {
  fairKey: string;
  id: string;
  /** How often it was begun, this time included, and did not throw. */
  attempts: number;
  /** How often it threw. */
  errors: number;
  /** Its place in the stream. */
  sequence: number;
}

/** Subjects of every job of a name. */
export function subjectsOf(name: JobName): string {
  return `vrs.work.${name}.>`;
}

/** A subject of the name's stream that is no job's. */
export function probeOf(name: JobName): string {
  return `vrs.work.${name}.probe`;
}

/** Subjects of a key's jobs of a name. @throws Error when the key is no token */
export function subjectsOfKey(name: JobName, fairKey: string): string {
  return `vrs.work.${name}.${token(fairKey)}.*`;
}

/** The last part of a job's subject. */
export function idOfSubject(subject: string): string {
  return subject.slice(subject.lastIndexOf(".") + 1);
}

/** Puts a job into a message; a long one is deflated. @throws Error when its id or key cannot be part of a subject */
export async function encodeJob<N extends JobName>(
  name: N,
  job: Jobs[N],
  { id, fairKey, attempt = 1 }: EnqueueOptions,
): Promise<JobMessage> {
  const head = headers();
  head.set(MESSAGE_ID, `${token(fairKey)}.${token(id)}.${attempt}`);
  const plain = Buffer.from(JSON.stringify(job));
  const long = plain.length > DEFLATE_ABOVE_BYTES;
  if (long) head.set(ENCODING, "deflate");
  return {
    subject: `vrs.work.${name}.${fairKey}.${id}`,
    data: long ? await deflate(plain) : plain,
    headers: head,
  };
}

/** @throws Error when the message holds no job */
export async function decodeJob<N extends JobName>(message: Pick<Msg, "data" | "headers">): Promise<Jobs[N]> {
  const long = message.headers?.get(ENCODING) === "deflate";
  const plain = long
    ? await inflate(message.data, { maxOutputLength: INFLATED_MAX_BYTES })
    : Buffer.from(message.data);
  const job: Jobs[N] = JSON.parse(plain.toString("utf8"));
  return job;
}

/** @throws Error when JetStream did not deliver the message as a job */
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
  return { fairKey, id, sequence, errors, attempts: deliveries + before };
}

/** The same job again, to be delivered anew; that it was begun here does not count. */
export function returnedJob(
  message: Msg,
  { attempts, errors, sequence }: Pick<JobDelivery, "attempts" | "errors" | "sequence">,
): JobMessage {
  const head = headers();
  // The place it had makes the name new, and the same each time that this is sent.
  const name = (message.headers?.get(MESSAGE_ID) ?? "").split(".").slice(0, 3).join(".");
  head.set(MESSAGE_ID, `${name}.${sequence}`);
  head.set(ATTEMPTS, String(attempts - 1));
  head.set(ERRORS, String(errors));
  const encoding = message.headers?.get(ENCODING);
  if (encoding) head.set(ENCODING, encoding);
  return { subject: message.subject, data: message.data, headers: head };
}

function token(part: string): string {
  if (/^[A-Za-z0-9_-]{1,200}$/.test(part)) return part;
  throw new Error(JOB_MESSAGES.badName(part));
}
