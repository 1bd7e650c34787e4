import { createHash } from "node:crypto";
import type { Page, Request, Response } from "playwright";
import { withTimeout } from "../../async.ts";
import { CAPSULE_BOUNDS, type CapsuleResponse } from "./capsule.ts";
import { BODY_BOUNDS, KEPT_TYPES, mayKeepBody } from "./may-keep-body.rule.ts";

/** A response without its body after this time is listed without a hash. */
const BODY_MS = 2_000;
/** Far more than the resources of a site. A forgotten hash is only computed again. */
const MAX_KNOWN = 500;
const HASH_CHARS = 16;
const MAX_CONTENT_TYPE = 200;
/** Bodies in memory. The screenshots of one visit share most of them. */
const MAX_UNSTORED_BYTES = 8 * 1024 * 1024;
/** Types that change how a page looks. */
const TYPES = new Set(["document", "stylesheet", "script", "image", "font", "fetch", "xhr", "media"]);

/** A response, and the source of a stylesheet. */
interface ReadResponse extends CapsuleResponse {
  text: string | null;
}

/** What is known of a body. */
interface Body extends Pick<ReadResponse, "hash" | "text" | "body" | "contentType"> {
  bytes: number;
}

/** A kept body, by its SHA-256. */
export interface KeptBody {
  hash: string;
  bytes: number;
}

/** The responses of a page, and which of their bodies are kept. */
export interface PageLoad {
  responses: ReadResponse[];
  bodies: KeptBody[];
}

/** Collects the responses of a page, and hashes their bodies. */
export class PageResponses {
  readonly #page: Page;
  readonly #responses = new Map<string, Response>();
  readonly #finished = new WeakSet<Request>();
  /** Bodies by URL and validators. Pages of a site share most files. */
  readonly #known = new Map<string, Body>();
  /** Bodies to store, by their SHA-256. */
  readonly #unstored = new Map<string, Buffer>();
  #unstoredBytes = 0;
  #keepsBodies = false;
  #mask = (text: string) => text;

  constructor(page: Page) {
    this.#page = page;
    page.on("response", response => {
      if (this.#responses.size >= CAPSULE_BOUNDS.responses) return;
      const type = response.request().resourceType();
      if (TYPES.has(type) && /^https?:/.test(response.url())) this.#responses.set(response.url(), response);
    });
    page.on("requestfinished", request => this.#finished.add(request));
  }

  /** Forgets the responses of the previous page. @param keepsBodies whether the next page's bodies are kept */
  reset(keepsBodies: boolean): void {
    this.#responses.clear();
    if (keepsBodies !== this.#keepsBodies) this.#known.clear();
    this.#keepsBodies = keepsBodies;
  }

  /**
   * Returns the responses since `reset`, in order.
   * @param mask replaces secrets. Bodies with a secret are not kept
   */
  async read(mask: (text: string) => string): Promise<PageLoad> {
    this.#mask = mask;
    const read = await Promise.all([...this.#responses.values()].map(response => this.#read(response)));
    const kept = this.#withinBounds(read);
    const responses = read.map(({ bytes: _, body, ...response }) => {
      return { ...response, ...(body !== undefined && kept.has(body) && { body }) };
    });
    return { responses, bodies: [...kept].map(([hash, bytes]) => ({ hash, bytes })) };
  }

  /** Returns the bodies that aren't stored yet, and forgets them. */
  takeBodies(): Buffer[] {
    const bodies = [...this.#unstored.values()];
    this.#unstored.clear();
    this.#unstoredBytes = 0;
    return bodies;
  }

  /** Returns the bodies that are kept, the most likely causes first. */
  #withinBounds(read: (Body & { type: string })[]): Map<string, number> {
    const kept = new Map<string, number>();
    let left: number = BODY_BOUNDS.screenshotBytes;
    const types: readonly string[] = KEPT_TYPES;
    const rank = ({ type }: { type: string }) => types.indexOf(type);
    for (const { body, bytes } of read.toSorted((a, b) => rank(a) - rank(b))) {
      if (body === undefined || kept.has(body) || bytes > left) continue;
      left -= bytes;
      kept.set(body, bytes);
    }
    return kept;
  }

  async #read(response: Response): Promise<ReadResponse & Body> {
    const type = response.request().resourceType();
    const facts = { url: response.url(), type, status: response.status() };
    const headers = response.headers();
    const bytes = Number(headers["content-length"] ?? 0);
    const validators = [headers.etag, headers["last-modified"]].filter(value => value !== undefined);
    const isFinished = this.#finished.has(response.request());
    if (!isFinished || bytes > CAPSULE_BOUNDS.hashedBytes) {
      const hash = validators.length > 0 ? hashOf(`${validators} ${bytes}`).slice(0, HASH_CHARS) : null;
      return { ...facts, hash, text: null, bytes };
    }
    const key = `${facts.status} ${facts.url} ${validators} ${bytes}`;
    const known = validators.length > 0 ? this.#known.get(key) : undefined;
    const body = known ?? (await this.#readBody(response));
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    if (validators.length > 0 && body.hash !== null) this.#known.set(key, body);
    return { ...facts, ...body };
  }

  async #readBody(response: Response): Promise<Body> {
    const content = await beforeLate(response.body());
    if (content === null) return { hash: null, text: null, bytes: 0 };
    const type = response.request().resourceType();
    const hash = hashOf(content);
    const isSheet = type === "stylesheet" && content.length <= CAPSULE_BOUNDS.sheetChars;
    const body = {
      hash: hash.slice(0, HASH_CHARS),
      text: isSheet ? content.toString("utf8") : null,
      bytes: content.length,
    };
    if (!this.#keepsBodies || !(await this.#mayKeep(response, content))) return body;
    if (!this.#unstored.has(hash)) this.#unstoredBytes += content.length;
    this.#unstored.set(hash, content);
    const contentType = response.headers()["content-type"]?.slice(0, MAX_CONTENT_TYPE);
    return { ...body, body: hash, ...(contentType !== undefined && { contentType }) };
  }

  async #mayKeep(response: Response, content: Buffer): Promise<boolean> {
    const request = response.request();
    if (content.length > BODY_BOUNDS.bytes || this.#unstoredBytes + content.length > MAX_UNSTORED_BYTES)
      return false;
    const facts = {
      ...{ url: response.url(), page: this.#page.url(), method: request.method() },
      ...{ type: request.resourceType(), status: response.status() },
    };
    // Reading all headers takes a round trip.
    if (!mayKeepBody({ ...facts, requestHeaders: request.headers(), responseHeaders: response.headers() }))
      return false;
    const text = content.toString("utf8");
    if (this.#mask(text) !== text) return false;
    const [requestHeaders, responseHeaders] = await Promise.all([
      beforeLate(request.allHeaders()),
      beforeLate(response.allHeaders()),
    ]);
    return (
      requestHeaders !== null &&
      responseHeaders !== null &&
      mayKeepBody({ ...facts, requestHeaders, responseHeaders })
    );
  }
}

async function beforeLate<T>(work: Promise<T>): Promise<T | null> {
  return await withTimeout(work, BODY_MS, () => new Error("late")).catch(() => null);
}

function hashOf(data: Buffer | string): string {
  return createHash("sha256").update(data).digest("hex");
}
