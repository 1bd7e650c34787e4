/** Far more than the files of a build that one page loads. */
const MAX_URLS = 10_000;

/** The URLs that a page has requested. */
export class RequestedUrls {
  readonly #urls = new Set<string>();
  #isComplete = true;

  add(url: string): void {
    if (this.#urls.size < MAX_URLS || this.#urls.has(url)) this.#urls.add(url);
    else this.#isComplete = false;
  }

  clear(): void {
    this.#urls.clear();
    this.#isComplete = true;
  }

  /** Returns all URLs, each once. Null if there were too many to keep. */
  all(): string[] | null {
    return this.#isComplete ? [...this.#urls] : null;
  }
}
