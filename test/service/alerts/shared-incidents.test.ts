import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import type { AlertChannels, AlertedMonitor } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { Condition } from "../../../shared/contracts/monitors/conditions.ts";
import { newId } from "../../../shared/ids.ts";
import { AlertsTestContext } from "../../support/contexts/alerts-context.ts";
import { MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";
import { HttpReceiver } from "../../support/servers/http/http-receiver.ts";
import { MailServer } from "../../support/servers/mail-server.ts";

const [A, B] = ["a".repeat(32), "b".repeat(32)] as const;

for (const database of MAIN_DATABASES)
  describe(`An incident of several monitors, on ${database.name}`, () => {
    database.needed();
    let made: TestDatabase;
    let mails: MailServer;
    let tool: HttpReceiver;
    let context: AlertsTestContext;

    before(async () => {
      made = await database.make();
      mails = await MailServer.start();
      tool = await HttpReceiver.start();
      context = await AlertsTestContext.start({ ...made.env, ...mails.env, PAGERDUTY_API_URL: tool.url("") });
    });
    after(async () => {
      await context?.stop();
      await tool?.close();
      await mails?.close();
      await made?.remove();
    });

    /** Makes monitors of a new team with these channels. The monitors service knows them. */
    const monitorsOf = (...channels: AlertChannels[]): AlertedMonitor[] => {
      const teamId = `team_${newId("mon")}`;
      return channels.map((own, index) => {
        const id = newId("mon");
        const monitor = { id, teamId, name: `Shop ${index}`, url: "https://shop.example", channels: own };
        context.alerted.set(id, monitor);
        return monitor;
      });
    };
    const report = (kind: "unchecked" | "checked", monitors: AlertedMonitor[]) => {
      const condition: Condition = {
        ...{ source: `${kind} ${teamOf(monitors)}`, kind, at: "2026-01-01T00:00:00.000Z", monitors },
        ...{ title: `${monitors.length} monitors ${kind}`, text: "No check has had a result." },
      };
      return context.call("alerts.reportCondition", condition);
    };
    const remove = async (monitor: AlertedMonitor) => {
      context.alerted.delete(monitor.id);
      await context.call("alerts.deleteMonitor", { monitor });
    };
    const teamOf = ([monitor]: AlertedMonitor[]) => monitor?.teamId ?? assert.fail("There is no monitor.");
    const list = async (teamId: string, monitor?: string) =>
      (await context.call("alerts.incidents", { query: { limit: 20, monitor } }, teamId)).data;
    const idle = (teamId: string) =>
      until(async () => {
        context.wake();
        const waiting: object[] = await context
          .em()
          .execute("select from alerts.notification where team_id = ? and status = 'queued'", [teamId]);
        return waiting.length === 0;
      });
    /** What PagerDuty got about a team, as `trigger a`. */
    const told = (teamId: string) =>
      tool.received
        .map(({ body }) => JSON.parse(body))
        .filter(({ dedup_key: key }) => key === `${teamId}/schedule`)
        .map(({ event_action: what, routing_key: key }) => `${what} ${key[0]}`);

    it("goes to another one when its monitor is deleted, and is resolved when they recover", async () => {
      const monitors = monitorsOf({ pagerduty: A }, { pagerduty: A }, { pagerduty: A });
      const [first, second, third] = monitors;
      assert.ok(first && second && third);
      const { teamId } = first;
      await report("unchecked", monitors);
      await idle(teamId);
      await remove(first);
      const [open, ...others] = await list(teamId);
      assert.deepEqual(
        [open?.state, open?.monitor, others.length],
        ["open", { id: second.id, name: second.name }, 0],
      );
      await idle(teamId);
      assert.deepEqual(told(teamId), ["trigger a"], "the other monitors are still unchecked");
      assert.equal((await list(teamId, third.id)).length, 1, "it stands for each of them");
      await report("checked", [second, third]);
      await idle(teamId);
      const [resolved] = await list(teamId);
      assert.deepEqual([resolved?.id, resolved?.state], [open?.id, "resolved"]);
      assert.deepEqual(told(teamId), ["trigger a", "resolve a"]);
      const { timeline } = await context.call("alerts.incident", { id: open?.id ?? "" }, teamId);
      assert.deepEqual(
        timeline.flatMap(entry => (entry.kind === "notified" ? [entry.message] : [])),
        ["unchecked", "checked"],
        "the message about the deleted monitor is part of it",
      );
    });

    it("closes at a receiver with its last monitor there, and ends with the last of all", async () => {
      const monitors = monitorsOf({ pagerduty: A }, { pagerduty: B }, { pagerduty: A });
      const [first, second, third] = monitors;
      assert.ok(first && second && third);
      const { teamId } = first;
      await report("unchecked", monitors);
      await idle(teamId);
      await remove(second);
      await idle(teamId);
      assert.deepEqual(told(teamId).toSorted(), ["resolve b", "trigger a", "trigger b"]);
      await context.call("alerts.closeIncident", { monitor: first });
      await idle(teamId);
      assert.equal(told(teamId).length, 3, "the third monitor has the key too");
      await remove(third);
      await remove(first);
      await idle(teamId);
      assert.deepEqual(told(teamId).toSorted(), ["resolve a", "resolve b", "trigger a", "trigger b"]);
      assert.deepEqual(await list(teamId), []);
    });

    it("keeps its queued message when the monitor is deleted that it names", async () => {
      const monitors = monitorsOf({ pagerduty: A }, { pagerduty: A });
      const [first, second] = monitors;
      assert.ok(first && second);
      const { teamId } = first;
      tool.answers = [{ status: 503 }];
      try {
        await report("unchecked", monitors);
        await until(async () =>
          (await context.notifications(first.id)).some(({ answer }) => answer !== null),
        );
        await remove(first);
      } finally {
        tool.answers = [{}];
      }
      await context.makeDue(second.id);
      await idle(teamId);
      const sent = await context.notifications(second.id);
      assert.deepEqual(
        sent.map(({ kind, status }) => [kind, status]),
        [["unchecked", "sent"]],
      );
    });

    it("has the same name at its start and its end, whichever monitor its messages name", async () => {
      const tools = {
        webhook: { url: tool.url("/hook"), secret: "s" },
        incidents: { tool: "alertmanager", url: tool.url("/own"), key: "key-of-alerts" },
      } as const;
      const monitors = monitorsOf(tools, tools);
      const teamId = teamOf(monitors);
      await report("unchecked", monitors);
      await idle(teamId);
      await report("checked", monitors.toReversed());
      await idle(teamId);
      const sentTo = (prefix: string) =>
        tool.received.filter(({ path }) => path.startsWith(prefix)).map(({ body }) => JSON.parse(body));
      const hooks = sentTo("/hook").map(({ monitor, incident }) => [monitor.id, incident]);
      const [first, second] = monitors.map(({ id }) => id);
      const name = `${teamId}/schedule`;
      assert.deepEqual(hooks, [
        [first, name],
        [second, name],
      ]);
      const labels = { alertname: "VrsMonitor", monitor_id: teamId, problem: name };
      assert.deepEqual(
        sentTo("/own").map(([alert]) => alert.labels),
        [labels, labels],
      );
    });

    it("closes everywhere if the first one is snoozed meanwhile, or a member resolves it", async () => {
      const snoozed = monitorsOf({ pagerduty: A }, { pagerduty: B });
      const teamId = teamOf(snoozed);
      await report("unchecked", snoozed);
      await context.call("alerts.snooze", { monitorId: snoozed.at(0)?.id ?? "", teamId, hours: 1 });
      assert.equal(await report("checked", snoozed), true);
      await idle(teamId);
      assert.deepEqual(told(teamId).toSorted(), ["resolve a", "resolve b", "trigger a", "trigger b"]);

      const resolved = monitorsOf({ pagerduty: A }, { pagerduty: B });
      await report("unchecked", resolved);
      const [incident] = await list(teamOf(resolved));
      await context.call("alerts.resolve", { id: incident?.id ?? "" }, teamOf(resolved));
      await idle(teamOf(resolved));
      assert.deepEqual(told(teamOf(resolved)).toSorted(), [
        "resolve a",
        "resolve b",
        "trigger a",
        "trigger b",
      ]);
    });

    it("reaches an address that unsubscribed from one of them", async () => {
      const email = `${newId("mon")}@example.com`;
      const monitors = monitorsOf({ email: [email] }, { email: [email] });
      await context
        .em()
        .execute("insert into alerts.opted_out (monitor_id, address) values (?, ?)", [
          monitors.at(0)?.id,
          email,
        ]);
      await report("unchecked", monitors);
      await until(() => mails.to(email).length > 0);
      assert.equal(mails.only(email).mail.subject, "2 monitors unchecked");
    });
  });
