import { forEachIsolated } from "../../shared/async.ts";
import { call, emit } from "../../shared/contracts/bus.ts";
import { BILLING } from "../../shared/contracts/teams/caller.ts";
import type { BillingContext } from "./billing-context.ts";
import { type Change, markChangeTold } from "./change.store.ts";
import { LOG_MESSAGES } from "./texts.ts";

/**
 * Tells the others and the team's activity. Marked as told only when the activity has it: asked twice it notes it once,
 * and while it is away the change waits. The others re-read the plan now and then.
 */
export async function publishChanges(context: BillingContext, changes: Change[]): Promise<void> {
  await forEachIsolated(
    changes,
    change => tell(context, change),
    (error, { teamId }) => context.warn(error, LOG_MESSAGES.changeOfNotPublished(teamId)),
  );
}

async function tell(
  context: BillingContext,
  { id, teamId, type, plan, was, graceUntil }: Change,
): Promise<void> {
  if (type === "plan.changed") await emit(context.bus, "plan.changed", { teamId, plan, was });
  const details: Record<string, string> =
    type === "plan.changed" ? { was } : { ...(graceUntil && { graceUntil: graceUntil.toISOString() }) };
  await call(context.bus, "teams.note", { id, teamId, type, actor: BILLING, target: plan, details });
  await markChangeTold(context.em(), id);
}
