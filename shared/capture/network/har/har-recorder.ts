import { withoutHash } from "../page-url.ts";
import { type Har, type HarEntry, printHar } from "./har-format.ts";
import type { ReplayedRequest } from "./har-replay.ts";

const MIB = 1024 * 1024;
const MAX_ENTRIES = 2_000;
const MAX_BODY_BYTES = 10 * MIB;
/** Of all bodies. Replays read the file into memory. */
const MAX_BYTES = 40 * MIB;

/** Headers that hold secrets, or that differ in every recording. */
const DROPPED_HEADERS = new Set(["age", "connection", "content-encoding", "content-length", "date"]);
const SECRET_HEADER = /auth|cookie|token|secret|session|api-?key/i;

/** A response to record, and its request. */
export interface RecordedResponse extends ReplayedRequest {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** Records responses for a HAR file, from all pages of a check. */
export class HarRecorder {
  readonly #site: string;
  readonly #entries = new Map<string, HarEntry>();
  readonly #recorded = new Set<string>();
  #bytes = 0;
  readonly #skipped = new Set<string>();

  /** @param before the file's content: entries that are not recorded again stay */
  constructor(site: string, before: Har | null) {
    this.#site = new URL(site).origin;
    const entries = before?.site === this.#site || before?.site == null ? (before?.entries ?? []) : [];
    for (const entry of entries) this.#put(keyOf(entry.request), entry);
  }

  /** Returns the number of different requests that were recorded. */
  get size(): number {
    return this.#recorded.size;
  }

  /** Returns the number of requests whose responses are too large or could not be read. */
  get skipped(): number {
    return this.#skipped.difference(this.#recorded).size;
  }

  /** Leaves out the response to a request. @param mask masks the secrets in a text */
  skip(request: ReplayedRequest, mask: (text: string) => string): void {
    this.#skipped.add(keyOf(maskedRequest(request, mask)));
  }

  /** Records a response. @param mask masks the secrets in a text */
  add(response: RecordedResponse, mask: (text: string) => string): void {
    const request = maskedRequest(response, mask);
    const key = keyOf(request);
    const { body } = response;
    const isFull = this.#bytes + body.length > MAX_BYTES || this.#entries.size >= MAX_ENTRIES;
    if (body.length > MAX_BODY_BYTES || (isFull && !this.#entries.has(key))) {
      this.#skipped.add(key);
      return;
    }
    this.#recorded.add(key);
    this.#put(key, { request, response: responseOf(response, mask) });
  }

  /** Returns the text of the file. */
  print(): string {
    return printHar({ site: this.#site, entries: [...this.#entries.values()] });
  }

  #put(key: string, entry: HarEntry): void {
    this.#bytes += sizeOf(entry) - sizeOf(this.#entries.get(key));
    this.#entries.set(key, entry);
  }
}

function maskedRequest(
  { method, url, postData }: ReplayedRequest,
  mask: (text: string) => string,
): HarEntry["request"] {
  const body = postData !== null && { postData: { text: mask(postData) } };
  return { method, url: mask(withoutHash(url)), ...body };
}

function keyOf({ method, url, postData }: HarEntry["request"]): string {
  return JSON.stringify([method, url, postData?.text]);
}

function sizeOf(entry: HarEntry | undefined): number {
  return entry?.response.content.text?.length ?? 0;
}

function responseOf(
  { status, headers, body }: Pick<RecordedResponse, "status" | "headers" | "body">,
  mask: (text: string) => string,
): HarEntry["response"] {
  const kept = Object.entries(headers).filter(
    ([name]) => !DROPPED_HEADERS.has(name) && !name.startsWith(":") && !SECRET_HEADER.test(name),
  );
  const text = textOf(body);
  const mimeType = headers["content-type"] ?? "";
  return {
    status,
    headers: kept.map(([name, value]) => ({ name, value: mask(value) })),
    content:
      text === null
        ? { mimeType, text: body.toString("base64"), encoding: "base64" }
        : { mimeType, text: mask(text) },
    redirectURL: "",
  };
}

/** Returns a body as text; null if it is none. */
function textOf(body: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return null;
  }
}
