import type { EntityManager } from "../../../mixins/database.ts";
import type { ListQuery } from "../../../shared/contracts/fields.ts";
import {
  type DeliveryList,
  type DeliveryView,
  deliveryView,
} from "../../../shared/contracts/monitors/alerts.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";
import type { Delivery } from "./notification.entity.ts";
import { findDeliveries } from "./notification.store.ts";

/** What was sent of a monitor, newest first, as far as the caller's team is concerned. */
export async function listDeliveries(
  em: EntityManager,
  { teamId }: Caller,
  monitorId: string,
  { limit, cursor }: ListQuery,
): Promise<DeliveryList> {
  const list = `deliveries ${monitorId}`;
  const before = decodeCursor(list, cursor);
  const found = await findDeliveries(em, { teamId, monitorId }, { limit, before });
  return pageOf(list, found, limit, viewOf);
}

/** A message as it is listed. */
export function viewOf(row: Delivery): DeliveryView {
  const { id, channel, kind, receiver, status, tries, answer, createdAt, nextAt, endedAt } = row;
  return deliveryView.parse({
    id,
    channel,
    kind,
    receiver,
    status,
    tries,
    answer,
    createdAt: createdAt.toISOString(),
    nextTryAt: status === "queued" ? nextAt.toISOString() : null,
    endedAt: endedAt?.toISOString() ?? null,
  });
}
