import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import type { WrongOutcome } from "../../../shared/contracts/monitors/alert-actions.ts";

/** Where a monitor's alerts stand; see decide.rule.ts. */
export const AlertStateEntity = defineEntity({
  name: "AlertState",
  tableName: "alert_state",
  properties: {
    monitorId: p.string().primary(),
    teamId: p.string(),
    reportedAt: p.datetime().strictNullable(),
    alerted: p.string().strictNullable(),
    /** The same at length; null also where it was alerted before that was kept. */
    alertedOutcome: p.json<WrongOutcome>().strictNullable(),
    alertingSince: p.datetime().strictNullable(),
    lastAlertAt: p.datetime().strictNullable(),
    snoozedUntil: p.datetime().strictNullable(),
  },
});

export type AlertStateRow = InferEntity<typeof AlertStateEntity>;
