import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { NOTIFICATION_STATUSES } from "../../../shared/contracts/monitors/alerts.ts";

/** A message to one receiver. Its target and payload are not mapped: only the sending query reads them. */
export const NotificationEntity = defineEntity({
  name: "Notification",
  tableName: "notification",
  properties: {
    id: p.string().primary(),
    teamId: p.string().strictNullable(),
    monitorId: p.string().strictNullable(),
    channel: p.string(),
    kind: p.string(),
    /** Display name of the receiver without secrets. */
    receiver: p.string(),
    status: p.enum(NOTIFICATION_STATUSES),
    attempts: p.integer(),
    nextAt: p.datetime(),
    /** The receiver's last response. */
    answer: p.string().strictNullable(),
    createdAt: p.datetime(),
    endedAt: p.datetime().strictNullable(),
  },
});

export type Notification = InferEntity<typeof NotificationEntity>;
