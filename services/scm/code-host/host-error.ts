/** An error response of the code host. The status is 0 without a response. */
export class HostError extends Error {
  readonly status: number;
  /** The earliest time of a retry. Null leaves the time to the caller. */
  readonly retryAt: Date | null;

  constructor(status: number, message: string, retryAt: Date | null = null) {
    super(message);
    this.name = "HostError";
    this.status = status;
    this.retryAt = retryAt;
  }

  /** Returns whether the same request may succeed later. */
  get passing(): boolean {
    return this.retryAt !== null || this.status === 0 || this.status >= 500;
  }
}

/** Returns whether the code host reported that this does not exist, or is not visible to the app. */
export function isMissing(error: unknown): boolean {
  return error instanceof HostError && error.status === 404;
}

/** Returns whether the code host refused the request for good: the app lacks a permission, or it is not possible. */
export function isRefused(error: unknown): boolean {
  return (
    error instanceof HostError && !error.passing && [403, 404, 409, 410, 422, 451].includes(error.status)
  );
}

/** Returns whether the code host refused the content. A shorter one may succeed. */
export function isContentRefused(error: unknown): boolean {
  return error instanceof HostError && !error.passing && [400, 413, 422].includes(error.status);
}
