import assert from "node:assert/strict";
import { it } from "mocha";
import { AlertStateEntity } from "../../../services/alerts/decisions/alert-state.entity.ts";
import { migrations } from "../../../services/alerts/migrations/index.ts";
import { NotificationEntity } from "../../../services/alerts/notifications/notification.entity.ts";
import { insertDeliveries } from "../../../services/alerts/webhooks/delivery.store.ts";
import { insertEvent } from "../../../services/runs/events/outgoing-event.store.ts";
import { migrations as runsMigrations } from "../../../services/runs/migrations/index.ts";
import { ProjectEntity } from "../../../services/runs/project.entity.ts";
import { describeMigration } from "../../support/databases/describe-migration.ts";
import { readCatalog, revertFrom } from "../../support/databases/revert-migration.ts";

describeMigration(
  "Notifications of a version without webhooks",
  {
    schema: "alerts",
    entities: [NotificationEntity, AlertStateEntity],
    migrations,
    name: "-webhooks",
    async seed(em) {
      await em.execute(
        `insert into alerts.notification (id, key, channel, kind, receiver, payload, status)
         values ('dlv_1', 'key_1', 'slack', 'down', 'hooks.example', '{}', 'sent')`,
      );
    },
  },
  schema => {
    it("stay, and are all that stays when the migration is undone", async () => {
      const before = await readCatalog(schema.em(), "alerts");
      await schema.migrate();
      const event = { eventId: "evt_1", type: "run.completed", lane: null, isReplay: false, body: {} };
      const delivery = { id: "dlv_2", key: "key_2", teamId: "team_1", webhookId: "whk_1", dropped: null };
      await insertDeliveries(schema.em(), [{ ...delivery, ...event }]);
      await revertFrom(schema.em(), migrations, "-webhooks");
      assert.deepEqual(await readCatalog(schema.em(), "alerts"), before);
      const rows: { id: string }[] = await schema.em().execute("select id from alerts.notification");
      assert.deepEqual(
        rows.map(({ id }) => id),
        ["dlv_1"],
      );
    });
  },
);

describeMigration(
  "Runs of a version without webhooks",
  { schema: "runs", entities: [ProjectEntity], migrations: runsMigrations, name: "-outgoing-events" },
  schema => {
    it("can store events, until the migration is undone", async () => {
      const before = await readCatalog(schema.em(), "runs");
      await schema.migrate();
      const build = { id: "run_1", branch: null, commit: null, pullRequest: null, screenshots: 1 };
      const of = { teamId: "team_1", project: "shop" };
      await insertEvent(schema.em(), {
        ...{ type: "build.finalized", ...of, subject: "run_1" },
        data: { ...of, build },
      });
      await revertFrom(schema.em(), runsMigrations, "-outgoing-events");
      assert.deepEqual(await readCatalog(schema.em(), "runs"), before);
    });
  },
);
