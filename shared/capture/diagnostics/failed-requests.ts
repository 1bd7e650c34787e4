import type { Request } from "playwright";
import { DIAGNOSTICS_BOUNDS, type FailedRequest } from "../../contracts/capture/diagnostics.ts";
import { isIntended } from "../network/missing-resources.ts";
import { REQUEST_FAILURES } from "../texts.ts";
import { DistinctEntries, type ListedEntries, RAW_CHARS } from "./distinct-entries.ts";

/** Collects the failed requests of a page, whatever their type and host. */
export class FailedRequests {
  readonly #failed = new DistinctEntries<Omit<FailedRequest, "times">>();
  /** Requests that are no longer awaited. Their responses can still come. */
  readonly #pending = new Set<Request>();

  reset(): void {
    this.#failed.clear();
    this.#pending.clear();
  }

  /** @param status HTTP status of the response */
  recordResponse(request: Request, status: number): void {
    this.#pending.delete(request);
    if (status >= 400) this.#failed.add({ ...factsOf(request), status, error: null });
  }

  /** @param errorText the browser's error, such as `net::ERR_CONNECTION_RESET` */
  recordFailure(request: Request, errorText: string): void {
    this.#pending.delete(request);
    if (isIntended(errorText)) return;
    this.#failed.add({ ...factsOf(request), status: null, error: errorText.replace(/^net::/, "") });
  }

  /** Records a request without a response when the page was captured. */
  recordPending(request: Request): void {
    this.#pending.add(request);
  }

  /**
   * Returns the requests that failed, then those without a response.
   * @param refusal returns why requests to a URL are refused; null where they are not
   */
  list(refusal: (url: URL) => string | null): ListedEntries<FailedRequest> {
    const failed = this.#failed.list();
    const pending = [...this.#pending].map(request => {
      return { ...factsOf(request), status: null, error: REQUEST_FAILURES.pending, times: 1 };
    });
    const all = [...failed.entries, ...pending].map(entry => withRefusal(entry, refusal));
    const entries = all.slice(0, DIAGNOSTICS_BOUNDS.entries);
    return { entries, dropped: failed.dropped + all.length - entries.length };
  }
}

function factsOf(request: Request): Pick<FailedRequest, "url" | "method" | "type"> {
  return { url: request.url().slice(0, RAW_CHARS), method: request.method(), type: request.resourceType() };
}

/** The browser only sees that the proxy refuses a request. */
function withRefusal(entry: FailedRequest, refusal: (url: URL) => string | null): FailedRequest {
  const url = URL.parse(entry.url);
  const error = url === null ? null : refusal(url);
  return error === null ? entry : { ...entry, status: null, error };
}
