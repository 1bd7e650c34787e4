/** Runs the work for each value with bounded concurrency. Returns the outcomes in the order of the values. */
export async function mapBounded<T, R>(
  values: readonly T[],
  atOnce: number,
  work: (value: T, index: number) => Promise<R>,
): Promise<R[]> {
  const outcomes: R[] = [];
  const left = values.entries();
  const worker = async () => {
    for (const [index, value] of left) outcomes[index] = await work(value, index);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, values.length) }, worker));
  return outcomes;
}
