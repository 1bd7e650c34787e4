import { Migration } from "@mikro-orm/migrations";

/** Adds which state of a reply is written here, because a node can stop before it has written the latest one. */
export class WrittenReplies extends Migration {
  override up(): void {
    this.addSql("alter table scm.mirrored_reply add column written_at timestamptz");
    this.addSql("update scm.mirrored_reply set written_at = host_updated_at");
  }

  override down(): void {
    this.addSql("alter table scm.mirrored_reply drop column written_at");
  }
}
