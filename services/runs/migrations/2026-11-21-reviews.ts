import { Migration } from "@mikro-orm/migrations";

export class Reviews extends Migration {
  override up(): void {
    this.addSql(`
      create table runs.review (
        id text primary key,
        seq bigint generated always as identity,
        team_id text not null,
        run_id text not null references runs.run (id) on delete cascade,
        screenshot_id text not null,
        project_id text not null,
        scope text not null,
        route text not null,
        viewport int not null,
        hash text,
        fingerprint text,
        verdict text not null check (verdict in ('approved', 'rejected', 'dismissed')),
        reviewer_kind text not null check (reviewer_kind in ('key', 'user', 'service')),
        reviewer_id text not null,
        reviewer_name text not null,
        counts_as text not null,
        dismisses text,
        reason text,
        at timestamptz not null default now()
      )`);
    this.addSql("create index review_run on runs.review (run_id)");
    this.addSql("create index review_screenshot on runs.review (screenshot_id, seq)");
    // Rejections are searched with every comparison that can get a carried approval.
    this.addSql("create index review_place on runs.review (project_id, scope, route, viewport, seq)");
    this.addSql("alter table runs.run add column created_as text");
    this.addSql(`
      alter table runs.baseline
        add column fingerprint text,
        add column origin_run_id text,
        add column origin_screenshot_id text,
        add column approvers jsonb not null default '[]'`);
    this.addSql(`create index baseline_origin on runs.baseline (origin_screenshot_id)
      where origin_screenshot_id is not null`);
    this.addSql(`
      alter table runs.screenshot
        add column approvals int not null default 0,
        add column required_approvals int,
        add column reviews int not null default 0,
        add column carried_run_id text,
        add column carried_screenshot_id text,
        add column carried_by jsonb,
        add column carried_at timestamptz`);
    this.addSql(`create index screenshot_carried on runs.screenshot (carried_screenshot_id)
      where carried_screenshot_id is not null`);
    // So far, only the last review of a screenshot was stored, in its own row.
    this.addSql(`
      insert into runs.review (id, team_id, run_id, screenshot_id, project_id, scope, route, viewport, hash,
        fingerprint, verdict, reviewer_kind, reviewer_id, reviewer_name, counts_as, reason, at)
      select replace(s.id, 'shot_', 'rev_'), r.team_id, s.run_id, s.id, r.project_id, r.scope, s.route, s.viewport,
        s.hash, s.fingerprint, s.review, case when s.reviewed_by like 'user%' then 'user' else 'key' end,
        s.reviewed_by, s.reviewed_by, s.reviewed_by, s.review_reason, s.reviewed_at
      from runs.screenshot s join runs.run r on r.id = s.run_id
      where s.review is not null and s.reviewed_by is not null and s.reviewed_at is not null
      order by s.reviewed_at`);
    this.addSql(`
      update runs.screenshot set reviews = 1, required_approvals = 1,
        approvals = case when review = 'approved' then 1 else 0 end
      where review is not null and reviewed_by is not null and reviewed_at is not null`);
    this.addSql(`
      update runs.baseline b set approvers = jsonb_build_array(b.approved_by), fingerprint = s.fingerprint
      from runs.screenshot s where s.id = b.screenshot_id`);
    this.addSql(
      "alter table runs.screenshot drop column review_reason, drop column reviewed_by, drop column reviewed_at",
    );
  }
}
