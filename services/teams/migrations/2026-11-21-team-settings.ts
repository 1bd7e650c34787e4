import { Migration } from "@mikro-orm/migrations";

export class TeamSettings extends Migration {
  override up(): void {
    this.addSql(`
      alter table teams.team
        add column required_approvals int not null default 1 check (required_approvals between 1 and 10),
        add column allow_self_approval boolean not null default true`);
  }
}
