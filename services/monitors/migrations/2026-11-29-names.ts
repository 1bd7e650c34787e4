import { Migration } from "@mikro-orm/migrations";

const COLUMNS = [
  ["monitors.check", "looks", "attempt_results"],
  ["monitors.monitor", "look", "changed_digest"],
  ["monitors.team", "asked_at", "plan_read_at"],
] as const;

/** Names columns after what they hold. */
export class Names extends Migration {
  override up(): void {
    for (const [table, from, to] of COLUMNS)
      this.addSql(`alter table ${table} rename column ${from} to ${to}`);
  }

  override down(): void {
    for (const [table, from, to] of COLUMNS)
      this.addSql(`alter table ${table} rename column ${to} to ${from}`);
  }
}
