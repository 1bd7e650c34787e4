import type { MonitorsContext } from "../monitors-context.ts";
import { claimConfirmations } from "./check.store.ts";
import { submitChecks } from "./submit-check.ts";

const CHECKS_AT_ONCE = 50;

/** Submits the runs that confirm what others found, once their wait is over. Any number of nodes may do it at once. */
export async function submitConfirmations(context: MonitorsContext): Promise<void> {
  for (;;) {
    const checks = await claimConfirmations(context.em(), context.confirmAfterMs, CHECKS_AT_ONCE);
    await submitChecks(context, checks);
    if (checks.length < CHECKS_AT_ONCE) return;
  }
}
