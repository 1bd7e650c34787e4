import type { PageClock } from "./start-clock.ts";

/**
 * Lets the page live for this long on its own clock, ms. It is sent to the page as text: it must use nothing from
 * outside its body.
 */
export async function runClock(durationMs: number): Promise<void> {
  const clock: PageClock | undefined = Reflect.get(globalThis, Symbol.for("vrs.clock"));
  await clock?.run(durationMs);
}
