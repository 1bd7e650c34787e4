import { Migration } from "@mikro-orm/migrations";

/** Adds the regions that moved within a capture, and a kind of noise for captures that became stable. */
export class MovingRegions extends Migration {
  override up(): void {
    this.addSql("alter table runs.screenshot add column moving_regions jsonb not null default '[]'");
    this.addSql(`
      alter table runs.noise_observation drop constraint noise_observation_kind_check,
        add constraint noise_observation_kind_check
          check (kind in ('unstable', 'retried', 'nullRerun', 'rejectedAsNoise'))`);
  }
}
