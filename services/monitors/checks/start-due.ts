import { publishMonitorsChanged } from "../../../shared/contracts/monitors/monitors-changed.ts";
import { newId } from "../../../shared/ids.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { startDueChecks } from "./check.store.ts";
import { submitChecks } from "./submit-check.ts";

/**
 * Checks per statement. A node that stops leaves at most this many to the recovery sweep. Thousands of due
 * monitors need only dozens of statements.
 */
const CHECK_BATCH_SIZE = 200;

/**
 * Starts due checks in batches. The next batch starts once this one is submitted, so that all nodes share a
 * backlog by their speed. Without due monitors it is one query.
 * @returns the number of checks started
 */
export async function startDue(context: MonitorsContext, signal?: AbortSignal): Promise<number> {
  for (let started = 0; ; ) {
    const checks = await startDueChecks(
      context.em(),
      Array.from({ length: CHECK_BATCH_SIZE }, () => newId("chk")),
    );
    await publishMonitorsChanged(context.bus, checks);
    await submitChecks(context, checks);
    started += checks.length;
    if (checks.length < CHECK_BATCH_SIZE || signal?.aborted) return started;
  }
}
