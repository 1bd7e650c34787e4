import { databaseTime } from "../../../mixins/database.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { BillingContext } from "../billing-context.ts";
import { sendNotices } from "./notify-usage.ts";
import { periodAt, periodBefore } from "./period.rule.ts";
import { deleteTaken, findUnsettled, findUntold, giveBackAllowance, settle } from "./usage.store.ts";

/** A run's rows are written seconds after it was counted, or never. */
const WRITTEN_WITHIN_MS = 10 * 60_000;
/** Shorter than any plan keeps runs: a run that is older and not there may have been deleted. */
const KEPT_AT_LEAST_MS = 6 * 24 * 3_600_000;
const ASKED_AT_ONCE = 500;
/** Longer than it takes to tell a notice after it was written down. */
const TOLD_WITHIN_MS = 60_000;

/**
 * Puts right what a node that went away left behind: gives back what was counted for runs that were never written, or
 * canceled before anything of them was rendered, and tells notices that nobody told. Any number of nodes may do it
 * at once.
 */
export async function settleUsage(context: BillingContext): Promise<void> {
  for (let after = ""; ; ) {
    const age = { minMs: WRITTEN_WITHIN_MS, maxMs: KEPT_AT_LEAST_MS };
    const ids = await findUnsettled(context.em(), age, { after, limit: ASKED_AT_ONCE });
    const last = ids.at(-1);
    if (last === undefined) break;
    const { rendered, waiting } = await call(context.bus, "runs.rendered", { ids });
    const known = new Set([...rendered, ...waiting]);
    await giveBackAllowance(
      context.em(),
      ids.filter(id => !known.has(id)),
    );
    await settle(context.em(), rendered);
    after = last;
  }
  const now = periodAt(await databaseTime(context.em()));
  await deleteTaken(context.em(), periodBefore(now).start);
  // Last: it fails while one of those who are told is away.
  await sendNotices(context, await findUntold(context.em(), TOLD_WITHIN_MS));
}
