/** The page's scripts never let its clock advance. */
export class BusyError extends Error {}

/** The clock of a page's scripts. It is paused except during `advance`. */
export interface PageClock {
  /** When waiting for open requests ends, ms of `performance.now()`. */
  requestDeadlineMs: number;
  readonly isRunning: boolean;
  /**
   * Pauses the clock for a new page.
   * @param nowMs where it starts, ms since 1970
   */
  pause(nowMs: number): Promise<void>;
  /** Stops everything that still waits for the clock. */
  stop(): void;
  /**
   * Lets the page live for this long on its own clock, ms, plus the time that its requests take.
   * @throws BusyError
   */
  advance(durationMs: number): Promise<void>;
  /** Waits for work of the browser, ms, while the page's own clock stays paused. */
  advanceBrowser(work: Promise<unknown>, timeoutMs: number): Promise<void>;
}
