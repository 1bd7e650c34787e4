import { Migration } from "@mikro-orm/migrations";

/** Allows connections of Gitea and Forgejo. */
export class GiteaConnections extends Migration {
  override up(): void {
    this.addSql("alter table scm.connection drop constraint connection_host_check");
    this.addSql("alter table scm.connection add check (host in ('gitlab', 'gitea'))");
  }

  override down(): void {
    this.addSql("delete from scm.connection where host <> 'gitlab'");
    this.addSql("alter table scm.connection drop constraint connection_host_check");
    this.addSql("alter table scm.connection add check (host in ('gitlab'))");
  }
}
