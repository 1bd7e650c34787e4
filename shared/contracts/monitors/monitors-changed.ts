import { type Bus, broadcast } from "../bus.ts";

/** A monitor that changed, or its checks or alerts. */
export interface ChangedMonitor {
  teamId: string;
  monitorId: string;
}

/** Publishes to every gateway that these monitors changed, with one message per team. */
export async function publishMonitorsChanged(bus: Bus, monitors: readonly ChangedMonitor[]): Promise<void> {
  for (const [teamId, ofTeam] of Map.groupBy(monitors, monitor => monitor.teamId)) {
    const ids = ofTeam.map(({ monitorId }) => monitorId);
    await broadcast(bus, "monitor.changed", { teamId, ids });
  }
}
