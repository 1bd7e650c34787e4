import type { SealedColumn } from "../../mixins/database.ts";

/**
 * Columns with secrets of this service. Options are kept until a run ends, or for some days to prove causes, and their headers can open staging sites.
 */
export const sealedColumns: SealedColumn[] = [
  {
    table: "runs.run",
    key: "id",
    purpose: "capture options",
    value: "options",
    set: "options = ?::jsonb",
    where: "completed_at is null and options <> '{}'",
    drop: "update runs.run set options = '{}'",
  },
  {
    table: "runs.null_rerun",
    key: "run_id",
    purpose: "capture options",
    value: "options",
    set: "options = ?::jsonb",
    where: "options is not null and options <> '{}'",
    drop: "update runs.null_rerun set options = '{}'",
  },
  {
    table: "runs.provable_run",
    key: "run_id",
    purpose: "capture options",
    value: "options",
    set: "options = ?::jsonb",
    where: "options <> '{}'",
    drop: "delete from runs.provable_run",
  },
  {
    table: "runs.secret",
    key: "id",
    purpose: "project secret",
    value: "value",
    set: "value = ?::jsonb",
    where: "true",
    drop: "delete from runs.secret",
  },
  {
    table: "runs.configuration",
    key: "id",
    purpose: "project configuration",
    value: "settings",
    set: "settings = ?::jsonb",
    where: "true",
    drop: "delete from runs.configuration",
  },
  {
    table: "runs.link_key",
    key: "singleton",
    purpose: "link key",
    value: "key",
    set: "key = ?::jsonb",
    where: "true",
    drop: "delete from runs.link_key",
  },
];
