import type { FleetWork } from "../../../shared/contracts/fleet.ts";
import type { RunsContext } from "../runs-context.ts";
import { findRecentFailures } from "../screenshot.store.ts";

const FAILURES = 20;

/** Returns the queues' loads and the latest failures of all teams. */
export async function readFleet(context: RunsContext): Promise<FleetWork> {
  const [loads, failures] = await Promise.all([
    context.queue.load(),
    findRecentFailures(context.em(), FAILURES),
  ]);
  return {
    queues: loads.map(({ oldestAt, ...load }) => ({ ...load, oldestAt: oldestAt?.toISOString() ?? null })),
    recentFailures: failures.map(({ at, ...failure }) => ({ at: at.toISOString(), ...failure })),
  };
}
