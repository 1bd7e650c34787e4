import { Migration } from "@mikro-orm/migrations";

export class Accounts extends Migration {
  override up(): void {
    this.addSql(`
      create table billing.account (
        team_id text primary key,
        customer_id text unique,
        customers int not null default 0,
        checkout_id text,
        checkout_at timestamptz,
        checkouts int not null default 0,
        asked int not null default 0,
        answered int not null default 0,
        synced_at timestamptz,
        subscription_id text,
        status text not null default 'none',
        subscribed_plan text not null default 'free',
        renews_at timestamptz,
        cancels_at timestamptz,
        grace_until timestamptz,
        plan text not null default 'free',
        kept_days int,
        kept_until timestamptz,
        gone_at timestamptz,
        looked_at timestamptz
      )`);
    this.addSql("create index account_synced on billing.account (synced_at) where customer_id is not null");
    this.addSql("create index account_paid on billing.account (team_id) where plan <> 'free'");
    this.addSql("create index account_gone on billing.account (gone_at) where gone_at is not null");
    this.addSql(`
      create table billing.payment_event (
        id text primary key,
        type text not null,
        applied_at timestamptz not null default now()
      )`);
    this.addSql("create index payment_event_applied on billing.payment_event (applied_at)");
    this.addSql(`
      create table billing.change (
        id text primary key,
        team_id text not null,
        type text not null,
        plan text not null,
        was text not null,
        grace_until timestamptz,
        at timestamptz not null default now(),
        told_at timestamptz
      )`);
    this.addSql("create index change_untold on billing.change (at) where told_at is null");
    // A larger plan in the same month causes new notices.
    this.addSql("alter table billing.notice drop constraint notice_pkey");
    this.addSql(
      "alter table billing.notice add primary key (team_id, period_start, allowance, percent, usage_limit)",
    );
    // One row, after a payment provider was set up.
    this.addSql(
      "create table billing.payments (id int primary key default 1 check (id = 1), since timestamptz not null)",
    );
  }
}
