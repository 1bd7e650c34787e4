import { Migration } from "@mikro-orm/migrations";

export class Deliveries extends Migration {
  override up(): void {
    this.addSql(`
      create table alerts.delivery (
        id text primary key,
        seq bigint generated always as identity,
        key text not null unique,
        team_id text,
        monitor_id text,
        lane text,
        channel text not null,
        kind text not null,
        receiver text not null,
        target jsonb,
        payload jsonb not null,
        status text not null check (status in ('queued', 'sent', 'failed', 'dropped')),
        tries int not null default 0,
        next_at timestamptz not null default now(),
        leased_until timestamptz,
        answer text,
        created_at timestamptz not null default now(),
        ended_at timestamptz
      )`);
    this.addSql("create index delivery_due on alerts.delivery (channel, next_at) where status = 'queued'");
    this.addSql("create index delivery_lane on alerts.delivery (lane, seq) where status = 'queued'");
    this.addSql("create index delivery_monitor on alerts.delivery (monitor_id, id)");
    this.addSql("create index delivery_team on alerts.delivery (team_id)");
    this.addSql("create index delivery_ended on alerts.delivery (ended_at) where status <> 'queued'");
    this.addSql(`
      create table alerts.alert_state (
        monitor_id text primary key,
        team_id text not null,
        reported_at timestamptz,
        alerted text,
        alerting_since timestamptz,
        last_alert_at timestamptz,
        snoozed_until timestamptz
      )`);
    this.addSql("create index alert_state_team on alerts.alert_state (team_id)");
    this.addSql(`
      create table alerts.decided (
        check_id text primary key,
        monitor_id text not null,
        decision text not null,
        decided_at timestamptz not null default now()
      )`);
    this.addSql("create index decided_monitor on alerts.decided (monitor_id)");
    this.addSql("create index decided_at on alerts.decided (decided_at)");
    this.addSql(`
      create table alerts.opted_out (
        monitor_id text not null,
        address text not null,
        at timestamptz not null default now(),
        primary key (monitor_id, address)
      )`);
  }
}
