import { Migration } from "@mikro-orm/migrations";

/** Adds proofs of causes, and the kept bodies of responses that they need. */
export class Proofs extends Migration {
  override up(): void {
    this.addSql(`
      create table runs.proof (
        screenshot_id text primary key references runs.screenshot (id) on delete cascade,
        run_id text not null references runs.run (id) on delete cascade,
        team_id text not null,
        requested_by text not null,
        requested_at timestamptz not null default now(),
        dispatched_at timestamptz not null default now(),
        dispatches int not null default 1,
        result jsonb,
        ended_at timestamptz
      )`);
    this.addSql("create index proof_run on runs.proof (run_id)");
    this.addSql("create index proof_recent on runs.proof (team_id, requested_at)");
    this.addSql("create index proof_running on runs.proof (dispatched_at) where result is null");
    // A run loses its options at its end. A proof captures a page with them again.
    this.addSql(`
      create table runs.provable_run (
        run_id text primary key references runs.run (id) on delete cascade,
        options jsonb not null,
        ended_at timestamptz not null default now()
      )`);
    this.addSql("create index provable_run_ended on runs.provable_run (ended_at)");
    this.addSql(`
      create table runs.capsule_body (
        capsule_hash text not null,
        body_hash text not null,
        primary key (capsule_hash, body_hash)
      )`);
    // The cleanup checks a thousand files at a time for rows that refer to them.
    this.addSql("create index capsule_body_hash on runs.capsule_body (body_hash)");
    this.addSql(`
      create table runs.kept_body (
        team_id text not null,
        body_hash text not null,
        bytes int not null,
        kept_at timestamptz not null default now(),
        primary key (team_id, body_hash)
      )`);
    this.addSql("create index kept_body_hash on runs.kept_body (body_hash)");
    this.addSql("create index kept_body_bytes on runs.kept_body (team_id) include (bytes)");
    // The files that a run's commit changed, for the causes of its changes.
    this.addSql("alter table runs.run add column changed_files jsonb");
  }

  override down(): void {
    this.addSql("alter table runs.run drop column changed_files");
    for (const table of ["kept_body", "capsule_body", "provable_run", "proof"])
      this.addSql(`drop table runs.${table}`);
  }
}
