import { emit } from "../../shared/contracts/bus.ts";
import type { ServiceActor } from "../../shared/contracts/events.ts";
import type { BillingNode } from "./billing-node.ts";
import { type Change, markChangeTold } from "./change.store.ts";

const BILLING: ServiceActor = { kind: "service", id: "billing", name: "billing" };

/** Tells the others and the team's activity. Told before it is marked as told: it may come twice, but not never. */
export async function tellChanges(node: BillingNode, changes: Change[]): Promise<void> {
  for (const { id, teamId, type, plan, was, graceUntil } of changes) {
    if (type === "plan.changed") await emit(node.bus, "plan.changed", { teamId, plan, was });
    const details: Record<string, string> =
      type === "plan.changed" ? { was } : { ...(graceUntil && { graceUntil: graceUntil.toISOString() }) };
    await emit(node.bus, "activity.noted", { id, teamId, type, actor: BILLING, target: plan, details });
    await markChangeTold(node.em(), id);
  }
}
