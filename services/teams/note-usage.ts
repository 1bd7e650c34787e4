import type { EntityManager } from "../../mixins/database.ts";
import type { Events, ServiceActor } from "../../shared/contracts/events.ts";
import { newId } from "../../shared/ids.ts";
import { insertActivity } from "./team.store.ts";

const BILLING: ServiceActor = { kind: "service", id: "billing", name: "billing" };

/** Writes into a team's activity how much of an allowance it has used; once, however often it is told. */
export async function noteUsage(
  em: EntityManager,
  { teamId, allowance, percent, limit, used, resetsAt }: Events["usage.noticed"],
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
