import { Migration } from "@mikro-orm/migrations";

const TABLES = [
  ["delivery", "notification"],
  ["decided", "decision"],
  ["mark", "chart_mark"],
] as const;

const INDEXES = [
  ["delivery_pkey", "notification_pkey"],
  ["delivery_key_key", "notification_key_key"],
  ["delivery_due", "notification_due"],
  ["delivery_lane", "notification_lane"],
  ["delivery_monitor", "notification_monitor"],
  ["delivery_team", "notification_team"],
  ["delivery_ended", "notification_ended"],
  ["decided_pkey", "decision_pkey"],
  ["decided_monitor", "decision_monitor"],
  ["decided_at", "decision_at"],
  ["mark_pkey", "chart_mark_pkey"],
  ["mark_monitor", "chart_mark_monitor"],
  ["mark_team", "chart_mark_team"],
  ["mark_at", "chart_mark_at"],
] as const;

/** Names tables, a column and indexes after what they hold. */
export class Names extends Migration {
  override up(): void {
    for (const [from, to] of TABLES) this.addSql(`alter table alerts.${from} rename to ${to}`);
    for (const [from, to] of INDEXES) this.addSql(`alter index alerts.${from} rename to ${to}`);
    this.addSql("alter table alerts.notification rename column tries to attempts");
  }

  override down(): void {
    this.addSql("alter table alerts.notification rename column attempts to tries");
    for (const [from, to] of INDEXES) this.addSql(`alter index alerts.${to} rename to ${from}`);
    for (const [from, to] of TABLES) this.addSql(`alter table alerts.${to} rename to ${from}`);
  }
}
