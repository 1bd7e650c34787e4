/** Waits for work, but so long at most, ms; it goes on after that. Rejects as the work does. */
export async function waitAtMost(ms: number, work: Promise<void> | null): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>(resolve => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
