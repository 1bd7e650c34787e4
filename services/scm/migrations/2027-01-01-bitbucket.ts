import { Migration } from "@mikro-orm/migrations";

/** Allows connections of Bitbucket. */
export class BitbucketConnections extends Migration {
  override up(): void {
    this.addSql("alter table scm.connection drop constraint connection_host_check");
    this.addSql("alter table scm.connection add check (host in ('gitlab', 'gitea', 'bitbucket'))");
  }

  override down(): void {
    this.addSql("delete from scm.connection where host = 'bitbucket'");
    this.addSql("alter table scm.connection drop constraint connection_host_check");
    this.addSql("alter table scm.connection add check (host in ('gitlab', 'gitea'))");
  }
}
