import Bottleneck from "bottleneck";
import { ServiceError } from "../../../shared/errors.ts";
import { LIMIT_ERRORS } from "../texts/errors.ts";

/** Each reads and renders a whole run, and anyone with a link may request one. */
const CONCURRENCY = 4;
/** Waiting requests: few enough that the last takes seconds. */
const MAX_WAITING = 64;
const RETRY_AFTER_SECONDS = 5;

/** Limits the reports that are read and rendered at the same time. */
export class OpenedReports {
  readonly #queue = new Bottleneck({
    maxConcurrent: CONCURRENCY,
    highWater: MAX_WAITING,
    strategy: Bottleneck.strategy.OVERFLOW,
  });

  /** Does the work once fewer reports are being opened. @throws ServiceError unavailable if too many wait */
  async open<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#queue.schedule(work);
    } catch (error) {
      if (!(error instanceof Bottleneck.BottleneckError)) throw error;
      throw new ServiceError("unavailable", LIMIT_ERRORS.openedReports, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
  }
}
