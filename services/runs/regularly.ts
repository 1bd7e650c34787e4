interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** A chore that any node may do, and that itself knows whether it is due. */
export interface Chore {
  /** How often this node looks whether it is time; the first node to look does it. */
  lookEveryMs: number;
  /** What the log says when it was done, and when it could not be. */
  done: string;
  failed: string;
  /** @returns what was done, null when it was not due */
  work(signal: AbortSignal): Promise<object | null>;
}

/** Has this node take its turns at a chore. @returns what ends that */
export function regularly({ lookEveryMs, done, failed, work }: Chore, log: Log): () => void {
  const stopping = new AbortController();
  const look = async () => {
    try {
      const outcome = await work(stopping.signal);
      if (outcome) log.info(outcome, done);
    } catch (error) {
      // A node that stops takes the store and the database from under it; that is as harmless as a crash.
      if (!stopping.signal.aborted) log.warn({ err: error }, failed);
    }
  };
  const timer = setInterval(look, lookEveryMs);
  return () => {
    clearInterval(timer);
    stopping.abort();
  };
}
