import { Migration } from "@mikro-orm/migrations";

/** Adds an index that finds the last message to a project's chat channel. */
export class IndexChatMessages extends Migration {
  override up(): void {
    this.addSql(
      `create index notification_chat on alerts.notification (team_id, receiver, id)
       where channel = 'slack' and monitor_id is null`,
    );
  }

  override down(): void {
    this.addSql("drop index alerts.notification_chat");
  }
}
