import type { EntityManager } from "../../../mixins/database.ts";
import { forEachIsolated } from "../../../shared/async.ts";
import { type Bus, broadcast, call } from "../../../shared/contracts/bus.ts";
import type { PeriodicTask } from "../../../shared/periodic-task.ts";
import { LOG_MESSAGES } from "../texts.ts";
import { findSharedTeams, setSeats } from "./seats.store.ts";

/** An event of a plan change is rarely lost. */
const SEATS_INTERVAL_MS = 3_600_000;
/** The other services have started by then. */
const FIRST_RUN_DELAY_MS = 60_000;
const BATCH_SIZE = 200;

interface SeatsContext {
  em(): EntityManager;
  bus: Bus;
}

interface SeatsTaskContext extends SeatsContext {
  warn(error: unknown, what: string): void;
}

/** Saves the number of seats in a team's plan, and publishes a change of its members' access. */
export async function keepSeats({ em, bus }: SeatsContext, teamId: string): Promise<void> {
  const { members } = await call(bus, "billing.plan", { teamId });
  if (await setSeats(em(), teamId, members)) await broadcast(bus, "access.changed", { ids: [teamId] });
}

/** Does the same for every team with members who may lack a seat. @throws the second of two consecutive errors */
export async function keepAllSeats(context: SeatsTaskContext, signal?: AbortSignal): Promise<void> {
  for (let after = ""; ; ) {
    const ids = await findSharedTeams(context.em(), { after, limit: BATCH_SIZE });
    await forEachIsolated(
      ids,
      async id => {
        if (!signal?.aborted) await keepSeats(context, id);
      },
      (error, id) => context.warn(error, LOG_MESSAGES.planNotRead(id)),
    );
    const last = ids.at(-1);
    if (last === undefined || signal?.aborted) return;
    after = last;
  }
}

/** Returns this as a periodic task. Any number of nodes can run it. */
export function seatsTask(context: SeatsTaskContext): PeriodicTask {
  return {
    intervalMs: SEATS_INTERVAL_MS,
    firstDelayMs: FIRST_RUN_DELAY_MS,
    work: signal => keepAllSeats(context, signal),
    failed: LOG_MESSAGES.plansNotRead,
  };
}
