import { Migration } from "@mikro-orm/migrations";

const COLUMNS: [table: string, from: string, to: string][] = [
  ["check_run", "told", "last_reported_digest"],
  ["check_run", "look_at", "next_check_at"],
  ["check_run", "nudged_at", "wake_at"],
  ["check_run", "give_up_at", "deadline_at"],
  ["check_run", "tries", "failures"],
  ["check_run", "claim", "lease"],
  ["check_run", "claimed_at", "leased_at"],
  ["check_run", "claimed_until", "leased_until"],
  ["pull_request", "comment_turn", "comment_lease"],
  ["pull_request", "comment_until", "comment_leased_until"],
  ["delivery", "claim", "lease"],
  ["delivery", "taken_at", "leased_at"],
  ["delivery", "tries", "retries"],
  ["bootstrap", "tries", "failures"],
  ["bootstrap", "asked_at", "requested_at"],
  ["adoption", "tries", "attempts"],
  ["adoption", "asked_at", "requested_at"],
];

const TABLES: [from: string, to: string][] = [
  ["adoption", "external_run"],
  ["begun_app", "pending_app"],
];

const INDEXES: [from: string, to: string][] = [
  ["check_run_look", "check_run_next_check"],
  ["delivery_taken", "delivery_leased"],
  ["adoption_pkey", "external_run_pkey"],
  ["adoption_due", "external_run_due"],
  ["adoption_asked", "external_run_requested"],
  ["begun_app_pkey", "pending_app_pkey"],
];

/** Names columns, tables, and indexes by the terms of the code. */
export class StandardNames extends Migration {
  override up(): void {
    for (const [table, from, to] of COLUMNS)
      this.addSql(`alter table scm.${table} rename column ${from} to ${to}`);
    for (const [from, to] of TABLES) this.addSql(`alter table scm.${from} rename to ${to}`);
    for (const [from, to] of INDEXES) this.addSql(`alter index scm.${from} rename to ${to}`);
  }

  override down(): void {
    for (const [from, to] of INDEXES) this.addSql(`alter index scm.${to} rename to ${from}`);
    for (const [from, to] of TABLES) this.addSql(`alter table scm.${to} rename to ${from}`);
    for (const [table, from, to] of COLUMNS)
      this.addSql(`alter table scm.${table} rename column ${to} to ${from}`);
  }
}
