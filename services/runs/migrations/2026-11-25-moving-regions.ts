import { Migration } from "@mikro-orm/migrations";

/** Where a page differed between the takes of one capture, and a kind of noise for those that agreed in the end. */
export class MovingRegions extends Migration {
  override up(): void {
    this.addSql("alter table runs.screenshot add column moving_regions jsonb not null default '[]'");
    this.addSql(`
      alter table runs.noise_observation drop constraint noise_observation_kind_check,
        add constraint noise_observation_kind_check
          check (kind in ('unstable', 'retried', 'nullRerun', 'rejectedAsNoise'))`);
  }
}
