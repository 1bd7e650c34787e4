import type { PageClock } from "./start-clock.ts";

/**
 * Lets the page live for a while, ms of its own clock.
 * It is sent to the page as text: it must use nothing from outside its body.
 */
export async function runClock(durationMs: number): Promise<void> {
  const clock: PageClock | undefined = Reflect.get(globalThis, Symbol.for("vrs.clock"));
  await clock?.run(durationMs);
}
