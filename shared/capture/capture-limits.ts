/** Limits of one screenshot and of the browser that captures it. */
export interface CaptureLimits {
  /** From the request for the document to its load event. */
  navigationMs: number;
  /**
   * Opening a context with its page. It takes a fraction of a second, unless the browser hangs or the machine is very
   * busy.
   */
  openMs: number;
  /** The whole screenshot, including every attempt. */
  captureMs: number;
  /**
   * How long the requests of a loaded page are awaited, and then how long the page may take to become stable. Comparing
   * attempts finds motion that remains.
   */
  settleMs: number;
  /**
   * How much longer than expected the scripts that stabilize a page may take, because the page's own scripts delay
   * them.
   */
  busyMs: number;
  /** Waiting for `waitForSelector`. */
  selectorMs: number;
  /** Bytes that one page may load. */
  maxBytes: number;
  /**
   * Characters that network rules may match in the URLs of all requests of a screenshot together. The default takes two
   * or three seconds of a core, in pieces of at most 10 ms.
   */
  maxMatchSteps: number;
  /** Heap of the page's scripts. */
  heapMiB: number;
  /** Resident memory of the processes that run one page, with its frames and workers. */
  pageMiB: number;
  /** Taller pages are cut. */
  maxHeightPx: number;
  /** Screenshots after which a new browser replaces this one. */
  pagesPerBrowser: number;
  /** Resident memory of all processes of a browser, after which a new browser replaces it. */
  browserMiB: number;
  /** Idle time after which a warm context is closed. */
  keepWarmMs: number;
}

/** Memory of the browser's other processes and Node. */
const OTHERS_MIB = 768;
const SMALLEST_PAGE_MIB = 512;

/**
 * Returns the default memory limit of a page: 2 GiB, or its share of the memory limit of the container or the service
 * unit. So no page crashes its node.
 * @param constrainedBytes the limit of the process's cgroup; 0 or a number larger than any machine's memory when there
 * is none
 */
export function pageMiBWithin(constrainedBytes: number, pageConcurrency: number): number {
  const share = Math.floor((constrainedBytes / 1024 / 1024 - OTHERS_MIB) / pageConcurrency);
  if (constrainedBytes === 0) return DEFAULT_LIMITS.pageMiB;
  return Math.min(DEFAULT_LIMITS.pageMiB, Math.max(SMALLEST_PAGE_MIB, share));
}

export const DEFAULT_LIMITS: CaptureLimits = {
  navigationMs: 30_000,
  openMs: 30_000,
  captureMs: 90_000,
  settleMs: 5_000,
  busyMs: 10_000,
  selectorMs: 10_000,
  maxBytes: 100 * 1024 * 1024,
  maxMatchSteps: 300_000_000,
  heapMiB: 512,
  pageMiB: 2_048,
  maxHeightPx: 20_000,
  pagesPerBrowser: 500,
  browserMiB: 2_048,
  keepWarmMs: 30_000,
};
