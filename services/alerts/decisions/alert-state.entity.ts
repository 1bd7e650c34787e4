import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import type { ProblemOutcome } from "../../../shared/contracts/monitors/alert-actions.ts";

/** The alert state of a monitor. See decide.rule.ts. */
export const AlertStateEntity = defineEntity({
  name: "AlertState",
  tableName: "alert_state",
  properties: {
    monitorId: p.string().primary(),
    teamId: p.string(),
    reportedAt: p.datetime().strictNullable(),
    alerted: p.string().strictNullable(),
    /** The outcome behind `alerted`. Null also if an earlier version, which did not store it, alerted. */
    alertedOutcome: p.json<ProblemOutcome>().strictNullable(),
    alertingSince: p.datetime().strictNullable(),
    lastAlertAt: p.datetime().strictNullable(),
    snoozedUntil: p.datetime().strictNullable(),
  },
});

export type AlertStateRow = InferEntity<typeof AlertStateEntity>;
