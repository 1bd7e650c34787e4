import type { Context } from "moleculer";
import { broadcast, type Meta } from "../../shared/contracts/bus.ts";
import type { Managed } from "./members/manage-members.ts";

/** Publishes to every gateway whose access changed. @returns the result of the change */
export async function publishChanged<T>(
  context: Context<unknown, Meta>,
  { result, changedIds }: Managed<T>,
): Promise<T> {
  if (changedIds.length > 0) await broadcast(context, "access.changed", { ids: changedIds });
  return result;
}
