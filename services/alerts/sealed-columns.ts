import type { SealedColumn } from "../../mixins/database.ts";

/** Columns with secrets: the receivers of queued messages. They are deleted once the message is sent. */
export const sealedColumns: SealedColumn[] = [
  {
    table: "alerts.notification",
    key: "id",
    purpose: "alert receiver",
    value: "target",
    set: "target = ?::jsonb",
    where: "status = 'queued' and target is not null",
    drop: "update alerts.notification set status = 'dropped', answer = 'The key of its receiver was lost.', ended_at = now(), target = null",
  },
];
