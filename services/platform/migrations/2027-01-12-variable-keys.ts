import { Migration } from "@mikro-orm/migrations";

/** Adds the projects whose variables at the platform have a key, so that their runs never go to another team. */
export class VariableKeys extends Migration {
  override up(): void {
    this.addSql(`
      create table platform.variable_key (
        configuration_id text not null,
        project_id text not null,
        primary key (configuration_id, project_id)
      )`);
  }

  override down(): void {
    this.addSql("drop table platform.variable_key");
  }
}
