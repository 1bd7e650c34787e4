import { Migration } from "@mikro-orm/migrations";

/** Counts the minor changes of ended runs. Others are counted when they end. */
export class MinorChanges extends Migration {
  override up(): void {
    this.addSql(
      `update runs.run r set tally = r.tally || jsonb_build_object('minor', (
         select count(*) from runs.screenshot s
         where s.run_id = r.id and s.status = 'unchanged' and s.diff_pixels > 0))
       where r.tally is not null`,
    );
  }
}
