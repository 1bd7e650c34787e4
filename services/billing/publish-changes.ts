import { forEachIsolated } from "../../shared/async.ts";
import { call, emit } from "../../shared/contracts/bus.ts";
import { BILLING } from "../../shared/contracts/teams/caller.ts";
import type { BillingContext } from "./billing-context.ts";
import { type Change, markChangePublished } from "./change.store.ts";
import { LOG_MESSAGES } from "./texts.ts";

/**
 * Publishes changes to the other services and the team's activity. A change counts as published after the activity has
 * it, which notes it once. If that fails, the change waits. The other services also read the plan regularly.
 */
export async function publishChanges(context: BillingContext, changes: Change[]): Promise<void> {
  await forEachIsolated(
    changes,
    change => publishChange(context, change),
    (error, { teamId }) => context.warn(error, LOG_MESSAGES.changeOfNotPublished(teamId)),
  );
}

async function publishChange(
  context: BillingContext,
  { id, teamId, type, plan, was, graceUntil }: Change,
): Promise<void> {
  if (type === "plan.changed") await emit(context.bus, "plan.changed", { teamId, plan, was });
  const details: Record<string, string> =
    type === "plan.changed" ? { was } : { ...(graceUntil && { graceUntil: graceUntil.toISOString() }) };
  await call(context.bus, "teams.note", { id, teamId, type, actor: BILLING, target: plan, details });
  await markChangePublished(context.em(), id);
}
