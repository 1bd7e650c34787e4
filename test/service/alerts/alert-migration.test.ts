import assert from "node:assert/strict";
import type { EntityManager } from "../../../mixins/database.ts";
import { AlertStateEntity } from "../../../services/alerts/decisions/alert-state.entity.ts";
import { findChartMarks } from "../../../services/alerts/decisions/chart-mark.store.ts";
import { findDecision } from "../../../services/alerts/decisions/state.store.ts";
import { Names } from "../../../services/alerts/migrations/2026-11-29-names.ts";
import { AddIncidents } from "../../../services/alerts/migrations/2026-12-14-incidents.ts";
import { migrations } from "../../../services/alerts/migrations/index.ts";
import { NotificationEntity } from "../../../services/alerts/notifications/notification.entity.ts";
import {
  insertNotifications,
  type NewNotification,
} from "../../../services/alerts/notifications/notification.store.ts";
import { describeMigration } from "../../support/databases/describe-migration.ts";
import { readCatalog, revertMigration } from "../../support/databases/revert-migration.ts";

const MONITOR = { monitorId: "mon_1", teamId: "team_1" };

/** Inserts a sent notification, a decision and a mark as the version before stored them. */
async function insertOldRows(em: EntityManager): Promise<void> {
  await em.execute(
    `insert into alerts.delivery (id, key, team_id, monitor_id, channel, kind, receiver, payload, status, tries, answer,
       ended_at)
     values ('dlv_1', 'key_1', 'team_1', 'mon_1', 'slack', 'down', 'hooks.example/…abcd', '{}', 'sent', 3, '200 ok', now())`,
  );
  await em.execute(
    "insert into alerts.decided (check_id, monitor_id, decision) values ('chk_1', 'mon_1', 'alerted')",
  );
  await em.execute(
    "insert into alerts.mark (monitor_id, team_id, kind, check_id) values ('mon_1', 'team_1', 'down', 'chk_1')",
  );
}

describeMigration(
  "Alerts of an earlier version",
  {
    schema: "alerts",
    entities: [NotificationEntity, AlertStateEntity],
    migrations,
    name: "-names",
    seed: insertOldRows,
  },
  schema => {
    it("keep their rows under the new table names", async () => {
      await schema.migrate();
      const sent = await schema.em().findOneOrFail(NotificationEntity, { id: "dlv_1" });
      assert.deepEqual([sent.status, sent.attempts, sent.answer], ["sent", 3, "200 ok"]);
      assert.equal(await findDecision(schema.em(), "chk_1"), "alerted");
      const marks = await findChartMarks(schema.em(), MONITOR, 1);
      assert.deepEqual(
        marks.map(({ kind, checkId }) => [kind, checkId]),
        [["down", "chk_1"]],
      );
    });

    it("still queue a repeated notification only once", async () => {
      const repeated: NewNotification = {
        ...{ id: "dlv_2", key: "key_1", ...MONITOR, lane: null, channel: "slack", kind: "down" },
        ...{ receiver: "hooks.example", target: { address: "https://hooks.example", secret: null } },
        payload: { notice: { subject: "", paragraphs: [], button: null } },
      };
      await insertNotifications(schema.em(), [repeated]);
      assert.equal(await schema.em().count(NotificationEntity), 1);
    });

    it("lose only incidents when that migration is undone", async () => {
      const before = await readCatalog(schema.em(), "alerts");
      await revertMigration(schema.em(), AddIncidents);
      const after = await readCatalog(schema.em(), "alerts");
      const lost = before.filter(name => !after.includes(name));
      assert.ok(lost.length > 0 && lost.every(name => name.includes("incident")), lost.join());
    });

    it("get the old names back when the migration is undone", async () => {
      await revertMigration(schema.em(), Names);
      const [row] = await schema.em().execute(
        `select d.tries, c.decision, m.kind from alerts.delivery d
           join alerts.decided c on c.monitor_id = d.monitor_id join alerts.mark m on m.monitor_id = d.monitor_id`,
      );
      assert.deepEqual({ ...row }, { tries: 3, decision: "alerted", kind: "down" });
    });
  },
);
