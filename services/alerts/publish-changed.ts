import { broadcast } from "../../shared/contracts/bus.ts";
import type { AlertsContext } from "./alerts-context.ts";

/** Tells every gateway, for those who look at the monitor. */
export async function publishChanged(
  { bus }: Pick<AlertsContext, "bus">,
  { monitorId, teamId }: { monitorId: string; teamId: string },
): Promise<void> {
  await broadcast(bus, "monitor.changed", { teamId, ids: [monitorId] });
}
