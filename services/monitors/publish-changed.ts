import { broadcast } from "../../shared/contracts/bus.ts";
import type { MonitorsNode } from "./monitors-context.ts";

/** Tells every gateway, for those who look at these monitors. */
export async function tellChanged(
  node: MonitorsNode,
  monitors: readonly { teamId: string; monitorId: string }[],
): Promise<void> {
  for (const [teamId, ofTeam] of Map.groupBy(monitors, monitor => monitor.teamId))
    await broadcast(node.bus, "monitor.changed", { teamId, ids: ofTeam.map(({ monitorId }) => monitorId) });
}
