import type { Page, Request } from "playwright";
import { withTimeout } from "../../../async.ts";
import type { HarRecorder } from "./har-recorder.ts";

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
    const late = () => new Error("A response was not read.");
    await withTimeout(Promise.allSettled(this.#pending), READ_MS, late).catch(() => {});
  }

  readonly #onFinished = (request: Request): void => {
    const first = firstOf(request);
    const recorder = this.#recorders.get(first);
    if (recorder === undefined) return;
    const reading = this.#read(first, request, recorder).catch(() => {
      recorder.skipped++;
    });
    this.#pending.add(reading);
    void reading.finally(() => this.#pending.delete(reading));
  };

  async #read(first: Request, last: Request, recorder: HarRecorder): Promise<void> {
    const response = await last.response();
    const status = response?.status() ?? 0;
    // Its target has a request of its own.
    if (response === null || (status >= 300 && status < 400)) return;
    const facts = { method: first.method(), url: first.url(), postData: first.postData(), status };
    recorder.add({ ...facts, headers: response.headers(), body: await response.body() }, this.#mask);
  }
}

/** Rules see the requested URL, not the targets of its redirects. */
function firstOf(request: Request): Request {
  let first = request;
  for (let from = first.redirectedFrom(); from !== null; from = first.redirectedFrom()) first = from;
  return first;
}
