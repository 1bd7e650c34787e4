import { Migration } from "@mikro-orm/migrations";

const COLUMNS: [table: string, from: string, to: string][] = [
  ["taken", "taken_at", "counted_at"],
  ["taken", "settled_at", "confirmed_at"],
  ["notice", "told_at", "sent_at"],
  ["change", "told_at", "published_at"],
  ["account", "asked", "last_ticket"],
  ["account", "answered", "applied_ticket"],
  ["account", "looked_at", "checked_at"],
];

const INDEXES: [from: string, to: string][] = [
  ["taken_pkey", "counted_run_pkey"],
  ["taken_unsettled", "counted_run_unconfirmed"],
  ["taken_period", "counted_run_period"],
  ["notice_untold", "notice_unsent"],
  ["change_untold", "change_unpublished"],
];

/** Names columns, tables, and indexes by the terms of the code. */
export class StandardNames extends Migration {
  override up(): void {
    for (const [table, from, to] of COLUMNS)
      this.addSql(`alter table billing.${table} rename column ${from} to ${to}`);
    this.addSql("alter table billing.taken rename to counted_run");
    for (const [from, to] of INDEXES) this.addSql(`alter index billing.${from} rename to ${to}`);
  }

  override down(): void {
    for (const [from, to] of INDEXES) this.addSql(`alter index billing.${to} rename to ${from}`);
    this.addSql("alter table billing.counted_run rename to taken");
    for (const [table, from, to] of COLUMNS)
      this.addSql(`alter table billing.${table} rename column ${to} to ${from}`);
  }
}
