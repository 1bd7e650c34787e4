import { setTimeout as delay } from "node:timers/promises";
import type { Page, Request } from "playwright";
import type { HarRecorder } from "./har-recorder.ts";
import type { ReplayedRequest } from "./har-replay.ts";

/** Reading a body that the browser has takes milliseconds. */
const READ_MS = 5_000;

/** Records the responses to some requests of a page. */
export class ResponseRecording {
  readonly #page: Page;
  readonly #mask: (text: string) => string;
  readonly #recorders = new WeakMap<Request, HarRecorder>();
  readonly #pending = new Set<Promise<void>>();

  /** @param mask masks the secrets in a text */
  constructor(page: Page, mask: (text: string) => string) {
    this.#page = page;
    this.#mask = mask;
    page.on("requestfinished", this.#onFinished);
  }

  /** Records the response to a request once it is complete, after redirects. */
  record(request: Request, recorder: HarRecorder): void {
    this.#recorders.set(request, recorder);
  }

  /** Stops, and waits until all bodies are read. */
  async stop(): Promise<void> {
    this.#page.off("requestfinished", this.#onFinished);
    await Promise.race([Promise.allSettled(this.#pending), delay(READ_MS, undefined, { ref: false })]);
  }

  readonly #onFinished = (request: Request): void => {
    const first = firstOf(request);
    const recorder = this.#recorders.get(first);
    if (recorder === undefined) return;
    const reading = this.#read(first, request, recorder).catch(() => {
      recorder.skip(requestOf(first), this.#mask);
    });
    this.#pending.add(reading);
    void reading.finally(() => this.#pending.delete(reading));
  };

  async #read(first: Request, last: Request, recorder: HarRecorder): Promise<void> {
    const response = await last.response();
    const status = response?.status() ?? 0;
    // Its target has a request of its own.
    if (response === null || (status >= 300 && status < 400)) return;
    const [headers, body] = [response.headers(), await response.body()];
    recorder.add({ ...requestOf(first), status, headers, body }, this.#mask);
  }
}

/** Returns what identifies a request in a recording. */
export function requestOf(request: Request): ReplayedRequest {
  return { method: request.method(), url: request.url(), postData: request.postData() };
}

/** Rules see the requested URL, not the targets of its redirects. */
function firstOf(request: Request): Request {
  let first = request;
  for (let from = first.redirectedFrom(); from !== null; from = first.redirectedFrom()) first = from;
  return first;
}
