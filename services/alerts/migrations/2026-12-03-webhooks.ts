import { Migration } from "@mikro-orm/migrations";

/** Adds webhooks. Their deliveries are notifications. */
export class Webhooks extends Migration {
  override up(): void {
    this.addSql(`
      create table alerts.webhook (
        id text primary key,
        team_id text not null,
        project text,
        description text not null,
        events jsonb not null,
        target jsonb not null,
        status text not null default 'active' check (status in ('active', 'paused')),
        paused_because text check (paused_because in ('member', 'failures', 'gone')),
        paused_at timestamptz,
        notice_id text,
        failing_since timestamptz,
        created_by text not null,
        created_at timestamptz not null default now()
      )`);
    this.addSql("create index webhook_team on alerts.webhook (team_id)");
    this.addSql("create index webhook_notice on alerts.webhook (id) where notice_id is not null");
    this.addSql(`
      alter table alerts.notification
        add column webhook_id text,
        add column event_id text,
        add column is_replay boolean not null default false,
        add column first_attempt_at timestamptz`);
    this.addSql(
      "create index notification_webhook on alerts.notification (webhook_id, id) where webhook_id is not null",
    );
  }

  override down(): void {
    this.addSql("delete from alerts.notification where webhook_id is not null");
    this.addSql(`
      alter table alerts.notification
        drop column webhook_id,
        drop column event_id,
        drop column is_replay,
        drop column first_attempt_at`);
    this.addSql("drop table alerts.webhook");
  }
}
