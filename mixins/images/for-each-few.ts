/** Does something for each, a few at a time. The first fault ends it. */
export async function forEachFew<T>(
  items: T[],
  atOnce: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += atOnce) await Promise.all(items.slice(at, at + atOnce).map(act));
}
