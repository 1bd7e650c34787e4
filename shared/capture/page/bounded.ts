/** Waits for `work` at most `timeoutMs`. @throws the error that `late` returns */
export async function bounded<T>(work: Promise<T>, timeoutMs: number, late: () => Error): Promise<T> {
  const overdue = Promise.withResolvers<never>();
  const timer = setTimeout(() => overdue.reject(late()), Math.max(0, timeoutMs));
  try {
    return await Promise.race([work, overdue.promise]);
  } finally {
    clearTimeout(timer);
  }
}
