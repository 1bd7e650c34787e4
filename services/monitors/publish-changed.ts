import { broadcast } from "../../shared/contracts/bus.ts";
import type { MonitorsContext } from "./monitors-context.ts";

/** Tells every gateway, for those who look at these monitors. */
export async function publishChanged(
  context: MonitorsContext,
  monitors: readonly { teamId: string; monitorId: string }[],
): Promise<void> {
  for (const [teamId, ofTeam] of Map.groupBy(monitors, monitor => monitor.teamId))
    await broadcast(context.bus, "monitor.changed", {
      teamId,
      ids: ofTeam.map(({ monitorId }) => monitorId),
    });
}
