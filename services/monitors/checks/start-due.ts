import { newId } from "../../../shared/ids.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { publishChanged } from "../publish-changed.ts";
import { claimDue } from "./check.store.ts";
import { submitChecks } from "./submit-check.ts";

/** Few enough that a node that goes away leaves little for the sweep, enough that thousands are dozens of statements. */
const CHECKS_AT_ONCE = 200;

/**
 * Begins the checks that are due, batch by batch: the next are taken when these are submitted, so that many nodes
 * share a backlog as fast as each of them is. With none due it is one query.
 * @returns how many began
 */
export async function startDue(context: MonitorsContext, signal?: AbortSignal): Promise<number> {
  for (let started = 0; ; ) {
    const checks = await claimDue(
      context.em(),
      Array.from({ length: CHECKS_AT_ONCE }, () => newId("chk")),
    );
    await publishChanged(context, checks);
    await submitChecks(context, checks);
    started += checks.length;
    if (checks.length < CHECKS_AT_ONCE || signal?.aborted) return started;
  }
}
