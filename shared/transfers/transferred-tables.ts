/** A service whose tables an export has. */
export const TRANSFER_SERVICES = ["teams", "runs", "monitors", "alerts"] as const;
export type TransferService = (typeof TRANSFER_SERVICES)[number];

/** A table of an export: its service, its name there, and whether an import reads it. */
export interface TransferredTable {
  service: TransferService;
  table: string;
  /** Tables that are only there to be read. An import leaves them out. */
  isForReading?: true;
}

const tablesOf = (service: TransferService, ...tables: string[]): TransferredTable[] =>
  tables.map(table => ({ service, table }));

/**
 * The tables of an export. An import writes them in this order, because rows refer to rows of earlier tables. The
 * activity is only read: an import must not write into the audit of another installation.
 */
export const TRANSFERRED_TABLES: readonly TransferredTable[] = [
  ...tablesOf("teams", "team", "member"),
  { service: "teams", table: "activity", isForReading: true },
  ...tablesOf(
    "runs",
    "project",
    "configuration",
    "reviewer_rules",
    "run",
    "screenshot",
    "baseline",
    "review",
  ),
  ...tablesOf(
    "runs",
    "comment",
    "assigned_reviewer",
    "noise_region",
    "noise_observation",
    "page_day",
    "look",
  ),
  ...tablesOf("runs", "build", "build_shard", "build_screenshot", "attachment", "run_attachment"),
  ...tablesOf("runs", "capsule", "kept_body", "capsule_body"),
  ...tablesOf("monitors", "monitor", "check", "availability", "maintenance", "status_page"),
  ...tablesOf("alerts", "incident", "incident_entry", "chart_mark", "webhook", "project_email"),
];

/** Returns the position of a table in the order of an import. -1 for an unknown one. */
export function tablePosition({ service, table }: Pick<TransferredTable, "service" | "table">): number {
  return TRANSFERRED_TABLES.findIndex(each => each.service === service && each.table === table);
}
