import type { PeriodicTask } from "../../../shared/periodic-task.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { TRANSFER_ERRORS } from "../texts/uploads.ts";
import { exportTeam } from "./export-team.ts";
import { importTeam } from "./import-team.ts";
import {
  deleteOldTransfers,
  failOldTransfer,
  leaseTransfers,
  releaseTransfer,
  type Transfer,
} from "./transfer.store.ts";
import { deleteContents } from "./transfer-content.store.ts";
import { GIVE_UP_DAYS, IMPORT_KEPT_DAYS, LEASE_SECONDS, type TransfersContext } from "./transfers-context.ts";

/** A transfer that was started on this node is woken. Others wait for their lease anyway. */
const INTERVAL_MS = 15_000;

/** Returns the task that works on exports and imports, one at a time on each node. */
export function transferTask(context: TransfersContext): PeriodicTask {
  return {
    intervalMs: INTERVAL_MS,
    firstDelayMs: 1_000,
    failed: LOG_MESSAGES.transfersFailed,
    async work(signal) {
      await deleteOldTransfers(context.em());
      for (;;) {
        const [transfer] = signal.aborted ? [] : await leaseTransfers(context.em(), LEASE_SECONDS, 1);
        if (!transfer) return;
        try {
          await (transfer.kind === "export" ? exportTeam : importTeam)(context, transfer, signal);
          if (signal.aborted) await releaseTransfer(context.em(), transfer.id);
        } catch (error) {
          context.warn(error, LOG_MESSAGES.transferFailed(transfer.id));
          await giveUp(context, transfer);
        }
      }
    },
  };
}

async function giveUp({ em }: TransfersContext, { id }: Transfer): Promise<void> {
  const days = { afterDays: GIVE_UP_DAYS, keptDays: IMPORT_KEPT_DAYS };
  if (await failOldTransfer(em(), { id, error: TRANSFER_ERRORS.gaveUp(GIVE_UP_DAYS) }, days))
    await deleteContents(em(), id);
}
