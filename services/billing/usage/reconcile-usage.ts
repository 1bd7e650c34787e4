import { databaseTime } from "../../../mixins/database.ts";
import { call } from "../../../shared/contracts/bus.ts";
import type { BillingContext } from "../billing-context.ts";
import { sendNotices } from "./notify-usage.ts";
import { periodAt, periodBefore } from "./period.rule.ts";
import {
  confirmRuns,
  deleteCountedRuns,
  findUnconfirmed,
  findUnsentNotices,
  giveBackAllowance,
} from "./usage.store.ts";

/** A run's rows are written seconds after it was counted, or never. */
const MAX_WRITE_DELAY_MS = 10 * 60_000;
/** Shorter than any plan's retention. An older run that is missing may have been deleted. */
const MIN_RETENTION_MS = 6 * 24 * 3_600_000;
const BATCH_SIZE = 500;
/** Longer than sending a notice takes. */
const MAX_SEND_DELAY_MS = 60_000;

/**
 * Repairs what a stopped node left behind. Gives back the allowance of runs that were never written, or canceled before
 * a capture. Sends unsent notices. Any number of nodes can run it at once.
 */
export async function reconcileUsage(context: BillingContext): Promise<void> {
  for (let after = ""; ; ) {
    const age = { minMs: MAX_WRITE_DELAY_MS, maxMs: MIN_RETENTION_MS };
    const ids = await findUnconfirmed(context.em(), age, { after, limit: BATCH_SIZE });
    const last = ids.at(-1);
    if (last === undefined) break;
    const { rendered, waiting } = await call(context.bus, "runs.rendered", { ids });
    const known = new Set([...rendered, ...waiting]);
    await giveBackAllowance(
      context.em(),
      ids.filter(id => !known.has(id)),
    );
    await confirmRuns(context.em(), rendered);
    after = last;
  }
  const now = periodAt(await databaseTime(context.em()));
  await deleteCountedRuns(context.em(), periodBefore(now).start);
  // Last, because it fails while a receiver does not respond.
  await sendNotices(context, await findUnsentNotices(context.em(), MAX_SEND_DELAY_MS));
}
