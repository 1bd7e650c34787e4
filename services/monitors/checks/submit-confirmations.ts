import type { MonitorsNode } from "../monitors-context.ts";
import { claimConfirmations } from "./check.store.ts";
import { submitChecks } from "./submit-check.ts";

const CHECKS_AT_ONCE = 50;

/** Submits the runs that confirm what others found, once their wait is over. Any number of nodes may do it at once. */
export async function submitConfirmations(node: MonitorsNode): Promise<void> {
  for (;;) {
    const checks = await claimConfirmations(node.em(), node.confirmAfterMs, CHECKS_AT_ONCE);
    await submitChecks(node, checks);
    if (checks.length < CHECKS_AT_ONCE) return;
  }
}
