/** Bounds of one screenshot and of the browser that takes it. */
export interface CaptureLimits {
  /** From the request for the document to its load event. */
  navigationMs: number;
  /** Opening a context with its page, which takes a fraction of a second unless the browser hangs or the machine is very busy. */
  openMs: number;
  /** The whole screenshot, every retake included. */
  captureMs: number;
  /**
   * Waiting for what a loaded page still asks for, and then as long for the page to come to rest; what still moves
   * afterwards is found by comparing takes.
   */
  settleMs: number;
  /** How much longer than they should the scripts that stabilise a page may take: its own scripts hold them up. */
  busyMs: number;
  /** Waiting for `waitForSelector`. */
  selectorMs: number;
  /** Bytes that one page may load. */
  maxBytes: number;
  /**
   * Characters that network rules may look at in the URLs of all of a screenshot's requests together. The default takes
   * two or three seconds of a core, in pieces of 10 ms at most.
   */
  maxMatchSteps: number;
  /** Heap of the page's scripts. */
  heapMiB: number;
  /** Resident memory of the processes that run one page, with its frames and workers. */
  pageMiB: number;
  /** Taller pages are cut. */
  maxHeightPx: number;
  /** Screenshots after which a browser makes room for a new one. */
  pagesPerBrowser: number;
  /** Resident memory of all of a browser's processes, after which it makes room for a new one. */
  browserMiB: number;
  /** A context that its key has not asked for in this time is closed. */
  keepWarmMs: number;
}

/** What the browser's other processes and Node use beside the pages. */
const OTHERS_MIB = 768;
const SMALLEST_PAGE_MIB = 512;

/**
 * Returns how much memory a page may use where the operator does not say: 2 GiB, or its share of what the container or
 * the service unit may use, so that no page brings its node down.
 * @param constrainedBytes the limit of the process's cgroup; 0 or a number beyond all machines where there is none
 */
export function pageMiBWithin(constrainedBytes: number, pagesAtOnce: number): number {
  const share = Math.floor((constrainedBytes / 1024 / 1024 - OTHERS_MIB) / pagesAtOnce);
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
