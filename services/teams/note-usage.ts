import type { EntityManager } from "../../mixins/database.ts";
import type { UsageNotice } from "../../shared/contracts/billing/usage.ts";
import { BILLING } from "../../shared/contracts/teams/caller.ts";
import { newId } from "../../shared/ids.ts";
import { insertActivity } from "./team.store.ts";

/** Notes a team's usage of an allowance in its activity, once for any number of repeats. */
export async function noteUsage(
  em: EntityManager,
  { teamId, allowance, percent, limit, used, resetsAt }: UsageNotice,
): Promise<void> {
  await insertActivity(em, {
    id: newId("act"),
    teamId,
    type: "usage.noticed",
    actor: BILLING,
    target: allowance,
    details: { percent, limit, used, resetsAt },
  });
}
