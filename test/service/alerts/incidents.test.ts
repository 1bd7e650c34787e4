import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import type { AlertChannels, CheckOutcome } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { Condition } from "../../../shared/contracts/monitors/conditions.ts";
import type { IncidentSummary, IncidentView } from "../../../shared/contracts/monitors/incidents.ts";
import type { CreateWebhook } from "../../../shared/contracts/webhooks/webhooks.ts";
import { newId } from "../../../shared/ids.ts";
import { AlertsTestContext, changedPages, reportOn } from "../../support/contexts/alerts-context.ts";
import { MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";
import { HttpReceiver } from "../../support/servers/http/http-receiver.ts";
import { MailServer } from "../../support/servers/mail-server.ts";

const OK: CheckOutcome = { kind: "ok" };
const SECRET = "a-secret-that-nobody-else-knows";

for (const database of MAIN_DATABASES)
  describe(`Incidents, on ${database.name}`, () => {
    database.needed();
    let made: TestDatabase;
    let mails: MailServer;
    let context: AlertsTestContext;
    let receiver: HttpReceiver;

    before(async () => {
      made = await database.make();
      mails = await MailServer.start();
      context = await AlertsTestContext.start({ ...made.env, ...mails.env });
    });
    after(async () => {
      await context?.stop();
      await mails?.close();
      await made?.remove();
    });
    beforeEach(async () => {
      receiver = await HttpReceiver.start();
    });
    afterEach(() => receiver.close());

    const hook = () => ({ webhook: { url: receiver.url("/"), secret: SECRET } });
    const list = async (id: string): Promise<IncidentSummary[]> =>
      (await context.call("alerts.incidents", { query: { limit: 20, monitor: id } }, `team_of_${id}`)).data;
    const only = async (id: string): Promise<IncidentSummary> => {
      const [first, ...more] = await list(id);
      assert.equal(more.length, 0);
      return first ?? assert.fail("There is no incident.");
    };
    const timeline = ({ timeline: entries }: IncidentView) => entries.map(({ kind }) => kind);
    const ended = (id: string) =>
      until(async () => (await context.notifications(id)).every(({ status }) => status !== "queued"));
    const events = () => receiver.received.map(({ headers }) => headers["vrs-event"]);

    it("open with a confirmed problem, and resolve by themselves", async () => {
      const id = newId("mon");
      const team = `team_of_${id}`;
      const startedAt = "2026-01-01T00:00:00.000Z";
      await context.report(id, hook(), changedPages("/a"), { startedAt, attempts: 2 });
      await context.report(id, hook(), changedPages("/a"));
      await ended(id);
      const incident = await only(id);
      assert.deepEqual(
        [incident.state, incident.kind, incident.openedAt, incident.monitor],
        ["open", "changed", startedAt, { id, name: "Acme shop" }],
      );
      assert.equal(
        JSON.parse(receiver.received[0]?.body ?? "").links.incident,
        `${context.service.context.baseUrl}/incidents/${incident.id}`,
      );
      assert.match(incident.title, /\/a at 1280 px differs by 10/);
      await context.report(id, hook(), OK);
      await ended(id);
      const view = await context.call("alerts.incident", { id: incident.id }, team);
      assert.deepEqual(timeline(view).toSorted(), [
        "confirmed",
        "notified",
        "notified",
        "opened",
        "resolved",
      ]);
      assert.deepEqual([view.state, view.resolution, view.resolvedBy], ["resolved", "recovered", null]);
      assert.deepEqual(
        view.timeline.flatMap(entry => (entry.kind === "notified" ? [[entry.message, entry.status]] : [])),
        [
          ["changed", "sent"],
          ["recovered", "sent"],
        ],
      );
    });

    it("are replaced by another problem, and resolved by an approval", async () => {
      const id = newId("mon");
      await context.report(id, {}, changedPages("/a"));
      await context.report(id, {}, changedPages("/a", "/b"));
      const approved = reportOn(id, {}, OK);
      await context.call("alerts.report", { ...approved, checkId: `${approved.checkId}.approved` });
      const [second, first] = await list(id);
      assert.deepEqual([first?.resolution, second?.resolution], ["replaced", "approved"]);
    });

    it("aren't alerted again once they are acknowledged, until other pages are affected", async () => {
      const id = newId("mon");
      const team = `team_of_${id}`;
      await context.report(id, hook(), changedPages("/a", "/b"));
      const { id: incidentId } = await only(id);
      const views = await Promise.all(
        [1, 2, 3].map(() => context.call("alerts.acknowledge", { id: incidentId }, team)),
      );
      for (const view of views) assert.equal(view.acknowledgedBy, "test");
      const { timeline: entries } = await context.call("alerts.incident", { id: incidentId }, team);
      assert.equal(entries.filter(({ kind }) => kind === "acknowledged").length, 1);
      assert.equal(await context.report(id, hook(), changedPages("/b")), "repeated");
      assert.equal(await context.report(id, hook(), changedPages("/a", "/b")), "repeated");
      assert.equal((await only(id)).state, "acknowledged");
      assert.equal(await context.report(id, hook(), changedPages("/a", "/c")), "alerted");
      await ended(id);
      assert.deepEqual(events(), ["monitor.changed", "monitor.changed"]);
      const [latest] = await list(id);
      assert.equal(latest?.state, "open");
    });

    it("are resolved by hand with a recovery, and open again with the next check", async () => {
      const id = newId("mon");
      const team = `team_of_${id}`;
      const channels = hook();
      await context.report(id, channels, changedPages("/a"));
      context.alerted.set(id, { id, teamId: team, name: "Acme shop", url: "https://shop.example", channels });
      const { id: incidentId } = await only(id);
      const views = await Promise.all(
        [1, 2].map(() => context.call("alerts.resolve", { id: incidentId, note: "Rolled back" }, team)),
      );
      await ended(id);
      assert.deepEqual(events(), ["monitor.changed", "monitor.recovered"]);
      assert.match(receiver.received[1]?.body ?? "", /test resolved the incident/);
      const resolved = views[0]?.timeline.findLast(entry => entry.kind === "resolved");
      assert.deepEqual(
        [views[0]?.resolvedBy, resolved?.kind === "resolved" && resolved.text],
        ["test", "Rolled back"],
      );
      assert.equal(await context.report(id, channels, changedPages("/a")), "alerted");
      assert.equal((await list(id)).length, 2);
    });

    it("are assigned to members who can act, and mail them", async () => {
      const id = newId("mon");
      const team = `team_of_${id}`;
      const email = `${id}@example.com`;
      const preferences = { reviews: "none", mentions: false, decisions: false, monitors: false } as const;
      context.people = [
        { id: "user_a", login: "ada", role: "reviewer", email, ...preferences },
        { id: "user_v", login: "vic", role: "viewer", email: null, ...preferences },
      ];
      await context.report(id, {}, changedPages("/a"));
      const { id: incidentId } = await only(id);
      const assign = (login: string | null) => context.call("alerts.assign", { id: incidentId, login }, team);
      await assert.rejects(assign("vic"), { type: "invalid_request", message: /viewer/ });
      await assert.rejects(assign("someone"), { type: "invalid_request", message: /member of the team/ });
      assert.deepEqual((await assign("Ada")).assignee, { id: "user_a", login: "ada" });
      await until(() => mails.to(email).length > 0);
      const { mail } = mails.only(email);
      assert.match(mail.subject ?? "", /^Assigned to you: Acme shop/);
      assert.match(mail.text ?? "", new RegExp(`/incidents/${incidentId}`));
      const view = await context.call("alerts.comment", { id: incidentId, text: "The CDN is slow" }, team);
      assert.deepEqual(timeline(view), ["opened", "assigned", "commented"]);
      assert.equal((await assign(null)).assignee, null);
      await context.call("alerts.resolve", { id: incidentId }, team);
      await assert.rejects(assign("ada"), { type: "conflict" });
    });

    it("are apart from other conditions, which each receiver of several monitors gets once", async () => {
      const [first, second] = [newId("mon"), newId("mon")];
      const teamId = `team_of_${first}`;
      const about = (id: string, channels: AlertChannels) => ({
        ...{ id, teamId, name: `Site ${id}`, url: "https://shop.example", channels },
      });
      const email = `${first}@example.com`;
      const condition: Condition = {
        ...{ source: `unchecked ${teamId}`, kind: "unchecked", at: "2026-01-01T00:00:00.000Z" },
        ...{ title: "2 monitors were not checked", text: "No check has had a result." },
        monitors: [about(first, hook()), about(second, { ...hook(), email: [email] })],
      };
      const report = (own: Partial<Condition> = {}) =>
        context.call("alerts.reportCondition", { ...condition, ...own });
      assert.deepEqual([await report(), await report()], [true, true]);
      await until(() => receiver.received.length > 0 && mails.to(email).length > 0);
      await ended(first);
      await ended(second);
      assert.deepEqual(events(), ["monitor.unchecked"]);
      assert.equal(mails.only(email).mail.subject, condition.title);
      assert.match(receiver.received[0]?.body ?? "", /No check has had a result/);
      const [incident, ...others] = await list(first);
      assert.deepEqual([incident?.kind, incident?.title, others], ["unchecked", condition.title, []]);
      const all = await context.call("alerts.incidents", { query: { limit: 20 } }, teamId);
      assert.equal(all.data.length, 1, "one incident stands for all monitors of a message");

      const admin = `admin-${first}@example.com`;
      context.admins.splice(0, context.admins.length, admin);
      await report({ source: `unchecked ${second}`, monitors: [about(first, {})] });
      await until(() => mails.to(admin).length > 0);
      await context.call("alerts.snooze", { monitorId: first, teamId, hours: 1 });
      assert.equal(await report({ source: `later ${first}`, monitors: [about(first, hook())] }), false);
    });

    it("are opened and resolved by conditions, beside one about the pages", async () => {
      const id = newId("mon");
      const teamId = `team_of_${id}`;
      const url = receiver.url(`/${id}`);
      const types: CreateWebhook["events"] = ["monitor.certificate", "monitor.renewed"];
      const webhook = { url, events: types, project: null, description: "" };
      await context.call("alerts.createWebhook", webhook, teamId);
      const monitors = [{ id, teamId, name: "Shop", url: "https://shop.example", channels: hook() }];
      const report = (kind: Condition["kind"], source: string, title: string) =>
        context.call("alerts.reportCondition", {
          ...{
            kind,
            source: `${source} ${id}`,
            title,
            text: "Renew it.",
            monitors,
            at: "2026-01-01T00:00:00.000Z",
          },
        });
      await context.report(id, {}, changedPages("/a"));
      await report("certificate", "30", "30 days left");
      await report("certificate", "30", "30 days left");
      await report("certificate", "14", "14 days left");
      const open = await list(id);
      assert.deepEqual(open.map(({ kind, title, state }) => [kind, title, state]).toSorted(), [
        ["certificate", "14 days left", "open"],
        ["changed", open.find(({ kind }) => kind === "changed")?.title, "open"],
      ]);
      await report("renewed", "renewed", "Certificate renewed");
      await report("renewed", "renewed", "Certificate renewed");
      const found = (await list(id)).find(({ kind }) => kind === "certificate");
      assert.deepEqual([found?.state, found?.resolution], ["resolved", "recovered"]);
      await ended(id);
      const view = await context.call("alerts.incident", { id: found?.id ?? "" }, teamId);
      assert.deepEqual(timeline(view).toSorted(), [
        ...["notified", "notified", "notified", "opened", "resolved"],
      ]);
      const delivered = () => receiver.received.filter(({ path }) => path === `/${id}`);
      await until(() => delivered().length === 3);
      const bodies = delivered().map(({ body }) => JSON.parse(body));
      assert.deepEqual(
        bodies.map(({ type, data }) => [type, data.title, data.monitors[0].id]),
        [
          ["monitor.certificate", "30 days left", id],
          ["monitor.certificate", "14 days left", id],
          ["monitor.renewed", "Certificate renewed", id],
        ],
      );
    });

    it("are resolved by a final end during a snooze, which only incident services hear of", async () => {
      const id = newId("mon");
      const teamId = `team_of_${id}`;
      const channels = { ...hook(), pagerduty: "c".repeat(32) };
      const monitors = [{ id, teamId, name: "Shop", url: "https://shop.example", channels }];
      const report = (kind: Condition["kind"], own: Partial<Condition> = {}) =>
        context.call("alerts.reportCondition", {
          ...{ kind, source: `${kind} ${id}`, title: "HTTP check", text: "It fails.", monitors },
          ...{ at: "2026-01-01T00:00:00.000Z", ...own },
        });
      await report("failing");
      await context.call("alerts.snooze", { monitorId: id, teamId, hours: 1 });
      assert.equal(await report("passing"), false, "its end is reported after the snooze");
      assert.equal((await only(id)).state, "open");
      assert.equal(await report("passing", { source: `off ${id}`, isFinal: true }), true);
      assert.equal((await only(id)).state, "resolved");
      const sent = await context.notifications(id);
      assert.deepEqual(sent.map(({ channel, kind }) => `${channel} ${kind}`).toSorted(), [
        "pagerduty failing",
        "pagerduty passing",
        "webhook failing",
      ]);
    });

    it("about a condition are closed at incident services when a member resolves them", async () => {
      const id = newId("mon");
      const teamId = `team_of_${id}`;
      const channels = { ...hook(), pagerduty: "c".repeat(32) };
      const monitor = { id, teamId, name: "Shop", url: "https://shop.example", channels };
      context.alerted.set(id, monitor);
      await context.call("alerts.reportCondition", {
        ...{ kind: "certificate", source: `30 ${id}`, title: "30 days left", text: "Renew it." },
        ...{ monitors: [monitor], at: "2026-01-01T00:00:00.000Z" },
      });
      const { id: incidentId } = await only(id);
      await context.call("alerts.resolve", { id: incidentId }, teamId);
      const sent = await context.notifications(id);
      assert.deepEqual(sent.map(({ channel, kind }) => `${channel} ${kind}`).toSorted(), [
        "pagerduty certificate",
        "pagerduty replaced",
        "webhook certificate",
      ]);
    });

    it("are listed by state over all monitors, and hidden from other teams", async () => {
      const id = newId("mon");
      const team = `team_of_${id}`;
      for (let made = 0; made < 3; made += 1) {
        await context.report(id, {}, changedPages("/a"));
        await context.report(id, {}, OK);
      }
      await context.report(id, {}, changedPages("/a"));
      const of = async (state: "unresolved" | "resolved" | "open" | "acknowledged", cursor?: string) =>
        context.call("alerts.incidents", { query: { limit: 2, state, cursor } }, team);
      assert.equal((await of("unresolved")).data.length, 1);
      assert.equal((await of("open")).data.length, 1);
      assert.equal((await of("acknowledged")).data.length, 0);
      const { data, nextCursor } = await of("resolved");
      const rest = await of("resolved", nextCursor ?? undefined);
      assert.deepEqual([data.length, rest.data.length, rest.nextCursor], [2, 1, null]);
      await assert.rejects(of("open", nextCursor ?? undefined), { type: "invalid_request" });
      const [first] = data;
      for (const action of ["alerts.incident", "alerts.acknowledge", "alerts.resolve"] as const)
        await assert.rejects(context.call(action, { id: first?.id ?? "" }, "team_other"), { code: 404 });
      assert.equal(
        (await context.call("alerts.incidents", { query: { limit: 20 } }, "team_other")).data.length,
        0,
      );
    });

    it("are opened for alerts of an earlier version, and deleted with their monitor", async () => {
      const id = newId("mon");
      await context.report(id, {}, changedPages("/a"));
      await context.em().execute("delete from alerts.incident where monitor_id = ?", [id]);
      await context.report(id, {}, changedPages("/a"));
      assert.equal((await only(id)).state, "open");
      const monitor = { id, teamId: `team_of_${id}`, name: "", url: "https://shop.example", channels: {} };
      await context.call("alerts.deleteMonitor", { monitor });
      assert.deepEqual(await list(id), []);
    });
  });
