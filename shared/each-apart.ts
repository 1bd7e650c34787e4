/**
 * Does something for each, one after the other. One that fails is noted and must not keep the others from it; of two in
 * a row the fault is not theirs, and the rest waits.
 * @throws what the second of two in a row failed with
 */
export async function eachApart<T>(
  items: Iterable<T>,
  act: (item: T) => Promise<unknown>,
  failed: (error: unknown, item: T) => void,
): Promise<void> {
  let failedBefore = false;
  for (const item of items) {
    try {
      await act(item);
      failedBefore = false;
    } catch (error) {
      if (failedBefore) throw error;
      failedBefore = true;
      failed(error, item);
    }
  }
}
