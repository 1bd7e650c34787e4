import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { migrations } from "../../../services/alerts/migrations/index.ts";
import { NotificationEntity } from "../../../services/alerts/notifications/notification.entity.ts";
import {
  insertNotifications,
  leaseDue,
  type NewNotification,
} from "../../../services/alerts/notifications/notification.store.ts";
import { sealedColumns as alertColumns } from "../../../services/alerts/sealed-columns.ts";
import { findMonitor } from "../../../services/monitors/settings/monitor.store.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import { MonitorTestContext } from "../../support/contexts/monitor-context.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";

const HOOK = "https://hooks.example/services/secret-of-a-webhook";
const ROUTING_KEY = "routingkeyroutingkeyroutingkey99";
const TOKEN = "secret-of-a-request-header";
const PASSWORD = "secret-of-a-login";
const SECRETS = [HOOK, ROUTING_KEY, TOKEN, PASSWORD, "secret-of-a-signature"];
const key = () => randomBytes(32).toString("base64");

const SITE = "https://staging.example";
const MONITOR = {
  url: SITE,
  alerts: {
    slack: HOOK,
    pagerduty: ROUTING_KEY,
    webhook: { url: "https://receiver.example/", secret: "secret-of-a-signature" },
  },
  options: { headers: { authorization: TOKEN }, perRoute: { "/": { headers: { "x-own": TOKEN } } } },
};

for (const kind of DATABASES) {
  describe(`Secrets that are stored, on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let context: MonitorTestContext;
    let caller: Caller;
    const [first, second] = [key(), key()];

    const start = async (...keys: string[]) => {
      await context?.stop();
      const env = { ...database.env, SERVICE_SECRET_KEY: keys.join(",") };
      context = await MonitorTestContext.start({ ...database, env });
    };
    /** Returns every row of these services, as text. */
    const everything = async () => {
      const tables = [
        ...["run", "null_rerun", "link_key", "secret"].map(name => `runs.${name}`),
        "monitors.monitor",
      ];
      const rows = await Promise.all(
        [...tables, 'monitors."check"'].map(table =>
          context.sql<{ row: string }>(`select t::text as row from ${table} t`),
        ),
      );
      return rows
        .flat()
        .map(({ row }) => row)
        .join("\n");
    };
    const assertNoSecrets = async () => {
      const rows = await everything();
      for (const secret of SECRETS) assert.ok(!rows.includes(secret), `${secret} in ${rows}`);
    };
    const linkKey = () => context.ask("runs.linkKey", {}, caller);

    before(async () => {
      database = await kind.make();
      await start(first);
    });
    after(async () => {
      await context?.stop();
      await database?.remove();
    });
    beforeEach(() => {
      caller = context.team();
    });

    it("are encrypted in every row, and renderers get them decrypted", async () => {
      const letGo = context.hold();
      const steps = [{ action: "fill" as const, selector: "#password", value: `\${secret.EDITOR_PASSWORD}` }];
      const withLogin = { ...MONITOR, options: { ...MONITOR.options, steps } };
      await assert.rejects(context.create(caller, withLogin), {
        type: "invalid_request",
        message: /EDITOR_PASSWORD.*PUT \/v1\/projects\/monitors\/secrets\/EDITOR_PASSWORD/,
      });
      const secret = { project: "monitors", name: "EDITOR_PASSWORD", value: PASSWORD };
      await context.ask("runs.putSecret", secret, caller);
      const { id } = await context.create(caller, withLogin);
      const { id: checkId } = await context.ask("monitors.run", { id, checkId: newId("chk") }, caller);
      await assertNoSecrets();
      assert.match(await everything(), /sealed"+: "+v1\./);
      letGo();
      await context.ended(caller, id, checkId);
      assert.deepEqual(context.captureOptions.at(-1)?.headers, { "x-own": TOKEN });
      const stored = await findMonitor(context.monitors.em(), caller.teamId, id);
      assert.deepEqual(stored?.channels, MONITOR.alerts);
      assert.ok(!(await everything()).includes(await linkKey()));
    });

    it("stay encrypted when something else of a monitor changes, and keep one channel until it is removed", async () => {
      const { id } = await context.create(caller, MONITOR);
      const changed = await context.ask("monitors.change", { id, body: { name: "Other" } }, caller);
      assert.equal(changed.name, "Other");
      await assertNoSecrets();
      const stored = await findMonitor(context.monitors.em(), caller.teamId, id);
      assert.deepEqual(stored?.options, MONITOR.options);
      await context.ask("monitors.delete", { id }, caller);
      await until(() => context.alerts.deletedMonitors.includes(id));
      assert.deepEqual(context.alerts.closed.at(-1), { pagerduty: ROUTING_KEY });
    });

    it("are read if stored without encryption, and encrypted at the next start", async () => {
      const { id } = await context.create(caller, { ...MONITOR, options: {} });
      await context.sql("update monitors.monitor set channels = ?::jsonb, options = ?::jsonb where id = ?", [
        JSON.stringify(MONITOR.alerts),
        JSON.stringify(MONITOR.options),
        id,
      ]);
      await context.sql(`update runs.link_key set key = '"plain-link-key"'`);
      const plain = await findMonitor(context.monitors.em(), caller.teamId, id);
      assert.deepEqual([plain?.channels, plain?.options], [MONITOR.alerts, MONITOR.options]);
      await start(first);
      await assertNoSecrets();
      assert.equal(await linkKey(), "plain-link-key");
      const sealed = await findMonitor(context.monitors.em(), caller.teamId, id);
      assert.deepEqual([sealed?.channels, sealed?.options], [MONITOR.alerts, MONITOR.options]);
    });

    it("are encrypted with a new first key, and the old one is no longer needed", async () => {
      const { id } = await context.create(caller, MONITOR);
      const before = await linkKey();
      await start(second, first);
      await start(second);
      assert.equal(await linkKey(), before);
      const stored = await findMonitor(context.monitors.em(), caller.teamId, id);
      assert.deepEqual(stored?.channels, MONITOR.alerts);
    });

    it("end the start with the remedy if their key is missing", async () => {
      await context.create(caller, MONITOR);
      await assert.rejects(
        start(key()),
        /with a key \(id [0-9a-f]{12}\) that this node does not have\. Add that key/,
      );
      await start(second);
    });

    it("are deleted if the operator declares their key lost, and new ones are stored", async () => {
      const { id } = await context.create(caller, MONITOR);
      const before = await linkKey();
      await context.stop();
      const env = { ...database.env, SERVICE_SECRET_KEY: key(), SERVICE_DROP_SECRETS: "1" };
      context = await MonitorTestContext.start({ ...database, env });
      const stored = await findMonitor(context.monitors.em(), caller.teamId, id);
      assert.deepEqual([stored?.channels, stored?.options], [{}, {}]);
      assert.notEqual(await linkKey(), before);
    });
  });

  describe(`Receivers of alerts that wait, on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let node: DatabaseNode;
    const SCHEMA = { schema: "alerts", entities: [NotificationEntity], migrations, sealed: alertColumns };
    const TARGET = { address: HOOK, secret: "secret-of-a-signature" };

    before(async () => {
      database = await kind.make();
      node = await DatabaseNode.start(database.env, SCHEMA);
    });
    after(async () => {
      await node?.stop();
      await database?.remove();
    });

    const delivery = (id: string): NewNotification => ({
      ...{ id, key: id, teamId: "team_1", monitorId: "mon_1", lane: null, channel: "slack", kind: "test" },
      ...{ receiver: "hooks.example/…hook", target: TARGET },
      payload: { notice: { subject: "s", paragraphs: [], button: null } },
    });
    const targets = async () => {
      const capacity = { channel: "slack", free: 10, teamConcurrency: 10, teams: {} };
      return (await leaseDue(node.em(), [capacity], 60)).map(({ target }) => target);
    };

    it("are encrypted until they are sent, even those stored without encryption", async () => {
      await insertNotifications(node.em(), [delivery("dlv_1"), delivery("dlv_2")]);
      await node
        .em()
        .execute("update alerts.notification set target = ?::jsonb where id = 'dlv_2'", [
          JSON.stringify(TARGET),
        ]);
      await node.stop();
      node = await DatabaseNode.start(database.env, SCHEMA);
      const stored = await node.em().execute("select t::text as row from alerts.notification t");
      assert.equal(stored.length, 2);
      for (const secret of SECRETS) assert.ok(!JSON.stringify(stored).includes(secret));
      assert.deepEqual(await targets(), [TARGET, TARGET]);
    });
  });
}
