import type { SealedColumn } from "../../mixins/database.ts";

/** Where this service stores secrets: whom a queued message goes to. They are removed once it was sent. */
export const sealedColumns: SealedColumn[] = [
  {
    table: "alerts.delivery",
    key: "id",
    purpose: "alert receiver",
    value: "target",
    set: "target = ?::jsonb",
    where: "status = 'queued' and target is not null",
    drop: "update alerts.delivery set status = 'dropped', answer = 'The key of its receiver was lost.', ended_at = now(), target = null",
  },
];
