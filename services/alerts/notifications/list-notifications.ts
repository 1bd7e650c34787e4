import type { EntityManager } from "../../../mixins/database.ts";
import type { ListQuery } from "../../../shared/contracts/fields.ts";
import {
  type NotificationList,
  type NotificationView,
  notificationView,
} from "../../../shared/contracts/monitors/alerts.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";
import type { Notification } from "./notification.entity.ts";
import { findNotifications } from "./notification.store.ts";

/** Lists a monitor's notifications for the caller's team, newest first. */
export async function listNotifications(
  em: EntityManager,
  { teamId }: Caller,
  monitorId: string,
  { limit, cursor }: ListQuery,
): Promise<NotificationList> {
  const list = `deliveries ${monitorId}`;
  const before = decodeCursor(list, cursor);
  const found = await findNotifications(em, { teamId, monitorId }, { limit, before });
  return pageOf(list, found, limit, viewOf);
}

/** Returns a notification as it is listed. */
export function viewOf(row: Notification): NotificationView {
  const { id, channel, kind, receiver, status, attempts, answer, createdAt, nextAt, endedAt } = row;
  return notificationView.parse({
    id,
    channel,
    kind,
    receiver,
    status,
    tries: attempts,
    answer,
    createdAt: createdAt.toISOString(),
    nextTryAt: status === "queued" ? nextAt.toISOString() : null,
    endedAt: endedAt?.toISOString() ?? null,
  });
}
