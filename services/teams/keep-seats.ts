import type { EntityManager } from "../../mixins/database.ts";
import { type Bus, broadcast, call } from "../../shared/contracts/bus.ts";
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

/** Has a team know how many members its plan has places for, and tells who may do something else then. */
export async function keepSeats({ em, bus }: Seater, teamId: string): Promise<void> {
  const { members } = await call(bus, "billing.plan", { teamId });
  if (await setSeats(em(), teamId, members)) await broadcast(bus, "access.changed", { ids: [teamId] });
}

/** The same for every team with members who may have no place. */
export async function keepAllSeats(seater: Seater): Promise<void> {
  for (let after = ""; ; ) {
    const ids = await findCrowds(seater.em(), { after, limit: AT_ONCE });
    for (const id of ids) await keepSeats(seater, id);
    const last = ids.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

/** Has this node do it now and then; any number of nodes may. @returns what ends that */
export function keepSeatsRegularly(seater: Seater, warn: (error: unknown) => void): () => void {
  const keep = () => void keepAllSeats(seater).catch(warn);
  const timers = [setTimeout(keep, FIRST_AFTER_MS), setInterval(keep, EVERY_MS)];
  return () => timers.forEach(clearTimeout);
}
