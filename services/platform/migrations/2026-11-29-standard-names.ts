import { Migration } from "@mikro-orm/migrations";

const COLUMNS: [table: string, from: string, to: string][] = [
  ["delivery", "claim", "lease"],
  ["delivery", "claimed_at", "leased_at"],
  ["team", "claimed_at", "leased_at"],
];

const INDEXES: [from: string, to: string][] = [
  ["delivery_claimed", "delivery_leased"],
  ["begun_pkey", "pending_install_pkey"],
];

/** Names columns, tables, and indexes by the terms of the code. */
export class StandardNames extends Migration {
  override up(): void {
    for (const [table, from, to] of COLUMNS)
      this.addSql(`alter table platform.${table} rename column ${from} to ${to}`);
    this.addSql("alter table platform.begun rename to pending_install");
    for (const [from, to] of INDEXES) this.addSql(`alter index platform.${from} rename to ${to}`);
  }

  override down(): void {
    for (const [from, to] of INDEXES) this.addSql(`alter index platform.${to} rename to ${from}`);
    this.addSql("alter table platform.pending_install rename to begun");
    for (const [table, from, to] of COLUMNS)
      this.addSql(`alter table platform.${table} rename column ${to} to ${from}`);
  }
}
