import type { EntityManager } from "../../../mixins/database.ts";
import { forEachIsolated } from "../../../shared/async.ts";
import { type Bus, broadcast, call } from "../../../shared/contracts/bus.ts";
import type { PeriodicTask } from "../../../shared/periodic-task.ts";
import { LOG_MESSAGES } from "../texts.ts";
import { findCrowds, setSeats } from "./seats.store.ts";

/** Plans change while nobody listens, if seldom. */
const EVERY_MS = 3_600_000;
/** By then the other services have started. */
const FIRST_AFTER_MS = 60_000;
const AT_ONCE = 200;

interface Seater {
  em(): EntityManager;
  bus: Bus;
}

interface RecoverySweep extends Seater {
  warn(error: unknown, what: string): void;
}

/** Has a team know how many members its plan has places for, and tells who may do something else then. */
export async function keepSeats({ em, bus }: Seater, teamId: string): Promise<void> {
  const { members } = await call(bus, "billing.plan", { teamId });
  if (await setSeats(em(), teamId, members)) await broadcast(bus, "access.changed", { ids: [teamId] });
}

/** The same for every team with members who may have no place. @throws what the second of two in a row failed with */
export async function keepAllSeats(recoverySweep: RecoverySweep, signal?: AbortSignal): Promise<void> {
  for (let after = ""; ; ) {
    const ids = await findCrowds(recoverySweep.em(), { after, limit: AT_ONCE });
    await forEachIsolated(
      ids,
      async id => {
        if (!signal?.aborted) await keepSeats(recoverySweep, id);
      },
      (error, id) => recoverySweep.warn(error, LOG_MESSAGES.planNotRead(id)),
    );
    const last = ids.at(-1);
    if (last === undefined || signal?.aborted) return;
    after = last;
  }
}

/** That as a node's chore; any number of nodes may have it. */
export function seatsTask(recoverySweep: RecoverySweep): PeriodicTask {
  return {
    intervalMs: EVERY_MS,
    firstDelayMs: FIRST_AFTER_MS,
    work: signal => keepAllSeats(recoverySweep, signal),
    failed: LOG_MESSAGES.plansNotRead,
  };
}
