/** Concurrent captures: a renderer's default on two cores. */
export const CONCURRENCY = 2;

/** Gives each free worker the next item. */
export async function shareWork<T>(
  items: readonly T[],
  work: (item: T, worker: number) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async (_, worker) => {
      for (const item of queue) await work(item, worker);
    }),
  );
}
