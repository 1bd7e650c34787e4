/** What the code host answered instead of what was asked for; `status` 0: nothing at all. */
export class HostError extends Error {
  readonly status: number;
  /** It is to be asked again then and not before; null where that is up to whoever asks. */
  readonly retryAt: Date | null;

  constructor(status: number, message: string, retryAt: Date | null = null) {
    super(message);
    this.name = "HostError";
    this.status = status;
    this.retryAt = retryAt;
  }

  /** Whether the same request may succeed later by itself. */
  get passing(): boolean {
    return this.retryAt !== null || this.status === 0 || this.status >= 500;
  }
}

/** Whether the code host said that there is no such thing, or none that the app may see. */
export function isMissing(error: unknown): boolean {
  return error instanceof HostError && error.status === 404;
}

/** Whether it said that the app may not, or that what was asked for is not possible. */
export function isRefused(error: unknown): boolean {
  return (
    error instanceof HostError && !error.passing && [403, 404, 409, 410, 422, 451].includes(error.status)
  );
}

/** Whether it does not take what was sent as it is, and never will: less of it may be taken. */
export function isContentRefused(error: unknown): boolean {
  return error instanceof HostError && !error.passing && [400, 413, 422].includes(error.status);
}
