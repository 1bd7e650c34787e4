import { Migration } from "@mikro-orm/migrations";

/** Finds the monitors with an HTTP check, which are few of many, without reading all of them. */
export class IndexHttpMonitors extends Migration {
  override up(): void {
    this.addSql(`create index monitor_http on monitors.monitor (id)
      where http is not null and next_at is not null and deleted_at is null`);
  }

  override down(): void {
    this.addSql("drop index monitors.monitor_http");
  }
}
