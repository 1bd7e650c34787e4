import { setTimeout as delay } from "node:timers/promises";

const EVERY_MS = 20;

/** Waits until `holds` says so; the test's own timeout bounds it. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(EVERY_MS);
}
