import type { SealedColumn } from "../../mixins/database.ts";

const MONITOR = { table: "monitors.monitor", key: "id" } as const;

/** Columns with secrets: webhook URLs, routing keys, and request headers. */
export const sealedColumns: SealedColumn[] = [
  {
    ...MONITOR,
    purpose: "alert channels",
    value: "channels",
    set: "channels = ?::jsonb",
    where: "channels <> '{}'",
    drop: "update monitors.monitor set channels = '{}'",
  },
  {
    ...MONITOR,
    purpose: "capture options",
    value: "options",
    set: "options = ?::jsonb",
    where: "options <> '{}'",
    drop: "update monitors.monitor set options = '{}'",
  },
  {
    table: 'monitors."check"',
    key: "id",
    purpose: "capture options",
    value: "(target -> 'options')",
    set: "target = jsonb_set(target, '{options}', ?::jsonb)",
    where: "ended_at is null and target -> 'options' <> '{}'",
    drop: `update monitors."check" set target = target - 'options'`,
  },
];
