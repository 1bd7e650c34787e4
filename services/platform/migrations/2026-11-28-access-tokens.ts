import { Migration } from "@mikro-orm/migrations";

/** With what an installation's project variables are read. Those of before have none until they are installed again. */
export class AccessTokens extends Migration {
  override up(): void {
    this.addSql("alter table platform.install add column access_token jsonb, add column token_team_id text");
  }
}
