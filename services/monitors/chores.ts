interface Chore {
  everyMs: number;
  /** Ends early when the node stops. */
  work(signal: AbortSignal): Promise<unknown>;
  /** What is noted when it fails. */
  failed: string;
}

/** Has this node do chores again and again, each at moments of its own and never twice at once. @returns what ends that */
export function beginChores(
  chores: Chore[],
  warn: (error: unknown, what: string) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  const stops = chores.map(({ everyMs, work, failed }) => {
    let underWay: Promise<unknown> | null = null;
    const timer = setInterval(
      () => {
        underWay ??= work(stopping.signal)
          .catch(error => warn(error, failed))
          .finally(() => (underWay = null));
      },
      everyMs * (0.8 + 0.4 * Math.random()),
    );
    return async () => {
      clearInterval(timer);
      await underWay;
    };
  });
  return async () => {
    stopping.abort();
    await Promise.all(stops.map(stop => stop()));
  };
}
