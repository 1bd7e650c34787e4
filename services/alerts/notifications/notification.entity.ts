import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { DELIVERY_STATUSES } from "../../../shared/contracts/monitors/alerts.ts";

/** A message to one receiver. What it holds beside these columns, its target and payload, leaves the store only to be sent. */
export const DeliveryEntity = defineEntity({
  name: "Delivery",
  tableName: "delivery",
  properties: {
    id: p.string().primary(),
    teamId: p.string().strictNullable(),
    monitorId: p.string().strictNullable(),
    channel: p.string(),
    kind: p.string(),
    /** The receiver as people may know it, without what is secret. */
    receiver: p.string(),
    status: p.enum(DELIVERY_STATUSES),
    tries: p.integer(),
    nextAt: p.datetime(),
    /** What the receiver said last, in words. */
    answer: p.string().strictNullable(),
    createdAt: p.datetime(),
    endedAt: p.datetime().strictNullable(),
  },
});

export type Delivery = InferEntity<typeof DeliveryEntity>;
