import { Migration } from "@mikro-orm/migrations";

/** Adds the tokens that read projects' variables. Existing installations have none until they are installed again. */
export class AccessTokens extends Migration {
  override up(): void {
    this.addSql("alter table platform.install add column access_token jsonb, add column token_team_id text");
  }
}
