import { createHash } from "node:crypto";
import type { Page, Request, Response } from "playwright";
import { withTimeout } from "../../async.ts";
import { CAPSULE_BOUNDS, type CapsuleResponse } from "./capsule.ts";

/** A response without its body after this time is listed without a hash. */
const BODY_MS = 1_000;
/** Far more than the resources of a site. A forgotten hash is only computed again. */
const MAX_KNOWN = 500;
const HASH_CHARS = 16;
/** Types that change how a page looks. */
const TYPES = new Set(["document", "stylesheet", "script", "image", "font", "fetch", "xhr", "media"]);

/** A response, and the source of a stylesheet. */
interface ReadResponse extends CapsuleResponse {
  text: string | null;
}

/** What is kept of a body. */
type Body = Pick<ReadResponse, "hash" | "text">;

/** Collects the responses of a page, and hashes their bodies. */
export class PageResponses {
  readonly #responses = new Map<string, Response>();
  readonly #finished = new WeakSet<Request>();
  /** Bodies by URL and validators. Pages of a site share most files. */
  readonly #known = new Map<string, Body>();

  constructor(page: Page) {
    page.on("response", response => {
      if (this.#responses.size >= CAPSULE_BOUNDS.responses) return;
      const type = response.request().resourceType();
      if (TYPES.has(type) && /^https?:/.test(response.url())) this.#responses.set(response.url(), response);
    });
    page.on("requestfinished", request => this.#finished.add(request));
  }

  /** Forgets the responses of the previous page. */
  reset(): void {
    this.#responses.clear();
  }

  /** Returns the responses since `reset`, in order. */
  async read(): Promise<ReadResponse[]> {
    return await Promise.all([...this.#responses.values()].map(response => this.#read(response)));
  }

  async #read(response: Response): Promise<ReadResponse> {
    const type = response.request().resourceType();
    const facts = { url: response.url(), type, status: response.status() };
    const headers = response.headers();
    const bytes = Number(headers["content-length"] ?? 0);
    const validators = [headers.etag, headers["last-modified"]].filter(value => value !== undefined);
    const isFinished = this.#finished.has(response.request());
    if (!isFinished || bytes > CAPSULE_BOUNDS.hashedBytes)
      return { ...facts, hash: validators.length > 0 ? hashOf(`${validators} ${bytes}`) : null, text: null };
    const key = `${facts.status} ${facts.url} ${validators} ${bytes}`;
    const known = validators.length > 0 ? this.#known.get(key) : undefined;
    const body = known ?? (await readBody(response, type));
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    if (validators.length > 0 && body.hash !== null) this.#known.set(key, body);
    return { ...facts, ...body };
  }
}

async function readBody(response: Response, type: string): Promise<Body> {
  const late = () => new Error("late");
  const body = await withTimeout(response.body(), BODY_MS, late).catch(() => null);
  if (body === null) return { hash: null, text: null };
  const isSheet = type === "stylesheet" && body.length <= CAPSULE_BOUNDS.sheetChars;
  return { hash: hashOf(body), text: isSheet ? body.toString("utf8") : null };
}

function hashOf(data: Buffer | string): string {
  return createHash("sha256").update(data).digest("hex").slice(0, HASH_CHARS);
}
