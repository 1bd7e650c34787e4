import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import { deleteAllGone, deleteReceiversOfGone } from "../../../services/alerts/prune.ts";
import { WHOLE_PAGE } from "../../../shared/alerts/fingerprint.rule.ts";
import type { CheckOutcome } from "../../../shared/contracts/monitors/alert-actions.ts";
import { newId } from "../../../shared/ids.ts";
import { AlertsTestContext, changedPages, reportOn } from "../../support/contexts/alerts-context.ts";
import { DATABASES, type DatabaseKind, type TestDatabase } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";
import {
  ageNotifications,
  countLeased,
  dropTeamNotifications,
  expireSnooze,
  failQueued,
  leaseElsewhere,
  storedNotifications,
  tablesWith,
} from "../../support/rows/alert-rows.ts";
import { HttpReceiver } from "../../support/servers/http/http-receiver.ts";
import { MailServer } from "../../support/servers/mail-server.ts";

const OK: CheckOutcome = { kind: "ok" };
const DOWN: CheckOutcome = {
  kind: "down",
  reason: "It answers 500.",
  routes: ["/"],
  isWhole: true,
  regressions: [],
};
const NO_IMAGES = { baseline: null, current: null, diff: null };
const SECRET = "a-secret-that-nobody-else-knows";

const alertsOn = (database: DatabaseKind) => () => {
  database.needed();
  let made: TestDatabase;
  let env: Record<string, string>;
  let mails: MailServer;
  let incidents: HttpReceiver;
  let context: AlertsTestContext;
  let receiver: HttpReceiver;
  let monitors = 0;

  before(async () => {
    made = await database.make();
    mails = await MailServer.start();
    incidents = await HttpReceiver.start();
    env = { ...made.env, ...mails.env, PAGERDUTY_API_URL: incidents.url("").replace(/\/$/, "") };
    context = await AlertsTestContext.start(env);
  });
  after(async () => {
    await context?.stop();
    await mails?.close();
    await incidents?.close();
    await made?.remove();
  });
  beforeEach(async () => {
    receiver = await HttpReceiver.start();
  });
  afterEach(() => receiver.close());

  /** Returns the id of a new monitor. */
  const monitor = () => {
    monitors += 1;
    return `mon_${monitors}`;
  };
  const hook = (path = "/") => ({ webhook: { url: receiver.url(path), secret: SECRET } });
  const statuses = async (id: string) => (await context.notifications(id)).map(({ status }) => status);
  const ended = (id: string) => until(async () => !(await statuses(id)).includes("queued"));
  const attempted = (id: string, attempts = 1) =>
    until(async () =>
      (await context.notifications(id)).some(row => row.attempts === attempts && row.answer !== null),
    );
  const kinds = () => receiver.received.map(({ headers }) => headers["vrs-event"]);

  describe("The report of a check", () => {
    it("is decided once, also if it is repeated concurrently", async () => {
      const id = monitor();
      const report = reportOn(id, hook(), changedPages("/a"));
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => context.call("alerts.report", report)),
      );
      assert.deepEqual(new Set(answers), new Set(["alerted"]));
      await ended(id);
      assert.equal(await context.call("alerts.report", report), "alerted");
      assert.equal((await context.notifications(id)).length, 1);
      assert.equal(receiver.received.length, 1);
    });

    it("sends an alert for a new problem, and one recovery", async () => {
      const id = monitor();
      const outcomes = [changedPages("/a"), changedPages("/a"), changedPages("/b"), DOWN, OK, OK];
      const decisions: string[] = [];
      for (const outcome of outcomes) {
        decisions.push(await context.report(id, hook(), outcome));
        await ended(id);
      }
      assert.deepEqual(decisions, ["alerted", "repeated", "alerted", "alerted", "recovered", "none"]);
      const changed = "monitor.changed";
      assert.deepEqual(kinds(), [changed, changed, "monitor.down", "monitor.recovered"]);
    });

    it("keeps alerts of uncaptured pages, and adds new problems", async () => {
      const id = monitor();
      const pagerduty = "c".repeat(32);
      const down = (...routes: string[]): CheckOutcome => ({
        ...{ kind: "down", reason: "It answers 500.", routes, isWhole: false },
        regressions: [{ ...{ route: "/b", viewport: 1280, diffRatio: 0.3 }, images: NO_IMAGES }],
      });
      const lost = { uncaptured: [1280, WHOLE_PAGE].map(viewport => ({ route: "/a", viewport })) };
      const decisions = [
        await context.report(id, { pagerduty }, down("/a")),
        await context.report(id, { pagerduty }, changedPages("/b"), lost),
        await context.report(id, { pagerduty }, down("/c"), lost),
        await context.report(id, { pagerduty }, down("/c"), lost),
        await context.report(id, { pagerduty }, changedPages("/b")),
        await context.report(id, { pagerduty }, OK),
      ];
      assert.deepEqual(decisions, ["alerted", "repeated", "alerted", "repeated", "alerted", "recovered"]);
      await ended(id);
      const told = incidents.received
        .map(({ body }) => JSON.parse(body))
        .filter(({ dedup_key: key }) => key.startsWith(`${id}/`))
        .map(({ event_action: what, payload }) => [what, payload?.severity, payload?.custom_details?.down]);
      assert.deepEqual(told, [
        ["trigger", "critical", ["/a"]],
        ["resolve", undefined, undefined],
        ["trigger", "critical", ["/c", "/a"]],
        ["resolve", undefined, undefined],
        ["trigger", "warning", undefined],
        ["resolve", undefined, undefined],
      ]);
    });

    it("is decided one at a time for each monitor", async () => {
      const id = monitor();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () =>
          context.report(id, {}, changedPages("/a"), { at: "2026-01-01T00:00:00Z" }),
        ),
      );
      assert.deepEqual(answers.toSorted(), ["alerted", ...Array(9).fill("repeated")]);
    });

    it("changes nothing if it is older than the last one", async () => {
      const id = monitor();
      const late = reportOn(id, hook(), changedPages("/a"));
      assert.equal(await context.report(id, hook(), OK), "none");
      assert.equal(await context.call("alerts.report", late), "none");
      assert.deepEqual(await context.notifications(id), []);
    });

    it("sends nothing during a snooze, except test alerts", async () => {
      const id = monitor();
      const teamId = `team_of_${id}`;
      const { snoozedUntil } = await context.call("alerts.snooze", { monitorId: id, teamId, hours: 2 });
      assert.ok(Math.abs(Date.parse(snoozedUntil) - Date.now() - 7_200_000) < 60_000);
      const report = reportOn(id, hook(), changedPages("/a"));
      assert.equal(await context.call("alerts.report", report), "snoozed");
      const { notifications } = await context.call("alerts.test", { monitor: report.monitor });
      await ended(id);
      assert.deepEqual(
        (await context.notifications(id)).map(({ id, kind }) => ({ id, kind })),
        [{ id: notifications[0]?.id, kind: "test" }],
      );
      const [status] = await context.call("alerts.status", { monitorIds: [id] });
      assert.deepEqual(status, { monitorId: id, alertingSince: null, lastAlertAt: null, snoozedUntil });
      await expireSnooze(context.em(), id);
      assert.equal(await context.report(id, hook(), changedPages("/a")), "alerted");
    });

    it("adds alerts and snoozes to the chart for the own team, until a snooze is canceled", async () => {
      const id = monitor();
      const team = `team_of_${id}`;
      const marks = (of = team) => context.call("alerts.chart", { monitorId: id, query: { days: 1 } }, of);
      await context.report(id, hook("/first"), changedPages("/a"));
      await context.report(id, hook("/first"), changedPages("/a"));
      await context.report(id, hook("/second"), OK);
      await ended(id);
      const about = { monitorId: id, teamId: team };
      await context.call("alerts.snooze", { ...about, hours: 2 });
      await context.call("alerts.snooze", { ...about, hours: 5 });
      await context.call("alerts.unsnooze", { monitorId: id, teamId: "team_other" }, "team_other");
      assert.notEqual((await context.call("alerts.status", { monitorIds: [id] }))[0]?.snoozedUntil, null);
      await context.call("alerts.unsnooze", about, team);
      assert.equal((await context.call("alerts.status", { monitorIds: [id] }))[0]?.snoozedUntil, null);
      const { alerts, snoozes, receivers } = await marks();
      assert.deepEqual(
        alerts.map(({ kind }) => kind),
        ["changed", "recovered"],
      );
      assert.equal(snoozes.length, 2);
      assert.ok(snoozes.every(({ from, until: end }) => Date.parse(end) - Date.parse(from) < 3_600_000));
      assert.deepEqual(receivers.map(({ kind, status }) => `${kind} ${status}`).sort(), [
        "changed sent",
        "recovered sent",
      ]);
      await assert.rejects(marks("team_other"), { type: "not_found" });
      await context.call("alerts.deleteMonitor", { monitor: reportOn(id, {}, OK).monitor });
      assert.deepEqual((await marks()).alerts, []);
    });

    it("can't be snoozed by another team", async () => {
      const id = monitor();
      await context.report(id, {}, OK);
      await assert.rejects(context.call("alerts.snooze", { monitorId: id, teamId: "team_other", hours: 1 }), {
        type: "not_found",
      });
      for (const hours of [0, 721, 1.5])
        await assert.rejects(
          context.call("alerts.snooze", { monitorId: id, teamId: `team_of_${id}`, hours }),
          {
            type: "invalid_request",
          },
        );
    });
  });

  describe("A notification", () => {
    it("is retried after the time that the receiver asked for, with the same id", async () => {
      const id = monitor();
      receiver.answers = [{ status: 503, headers: { "Retry-After": "120" }, body: "busy" }, {}];
      await context.report(id, hook(), changedPages("/a"));
      await attempted(id);
      const [waiting] = await context.notifications(id);
      assert.deepEqual([waiting?.status, waiting?.answer], ["queued", "503 busy"]);
      assert.ok((waiting?.waitSeconds ?? 0) > 110, `${waiting?.waitSeconds} s`);
      await context.makeDue(id);
      await ended(id);
      const [sent] = await context.notifications(id);
      assert.deepEqual([sent?.status, sent?.attempts, sent?.answer], ["sent", 2, "200 ok"]);
      const ids = receiver.received.map(({ headers }) => headers["vrs-delivery"]);
      assert.deepEqual(ids, [sent?.id, sent?.id]);
    });

    it("is retried if the receiver doesn't respond", async () => {
      const id = monitor();
      receiver.answers = [{ hangUp: true }, {}];
      await context.report(id, hook(), changedPages("/a"));
      await attempted(id);
      assert.deepEqual(await statuses(id), ["queued"]);
      await context.makeDue(id);
      await ended(id);
      assert.deepEqual(await statuses(id), ["sent"]);
    });

    it("fails at once on a permanent refusal, and after a day in any case", async () => {
      const [refused, old] = [monitor(), monitor()];
      receiver.answers = [{ status: 404, body: "no_service" }, { status: 500 }];
      await context.report(refused, hook(), changedPages("/a"));
      await ended(refused);
      const [row] = await context.notifications(refused);
      assert.deepEqual([row?.status, row?.attempts, row?.answer], ["failed", 1, "404 no_service"]);
      await context.report(old, hook(), changedPages("/a"));
      await attempted(old);
      await ageNotifications(context.em(), old);
      await context.makeDue(old);
      await ended(old);
      assert.match(
        (await context.notifications(old))[0]?.answer ?? "",
        /^Sending failed after 2 attempts\. 500/,
      );
    });

    it("is sent only to the configured address, which must be public", async () => {
      const [elsewhere, local] = [monitor(), monitor()];
      receiver.answers = [{ status: 307, headers: { Location: receiver.url("/secret") } }];
      await context.report(elsewhere, hook(), changedPages("/a"));
      const url = `http://127.0.0.1:${receiver.port}/`;
      await context.report(local, { webhook: { url, secret: SECRET }, slack: url }, changedPages("/a"));
      await Promise.all([ended(elsewhere), ended(local)]);
      assert.equal(receiver.received.length, 1);
      assert.match((await context.notifications(elsewhere))[0]?.answer ?? "", /^307.*not followed/);
      for (const { status, attempts, answer } of await context.notifications(local)) {
        assert.deepEqual([status, attempts], ["failed", 1]);
        assert.match(answer ?? "", /loopback/);
      }
    });

    it("waits only for the previous one to the same receiver", async () => {
      const id = monitor();
      const other = await HttpReceiver.start();
      try {
        receiver.answers = [{ status: 500 }, {}];
        const both = { ...hook(), slack: other.url() };
        await context.report(id, both, changedPages("/a"));
        await attempted(id);
        await context.report(id, both, OK);
        await until(() => other.received.length === 2);
        assert.equal(receiver.received.length, 1, "the recovery waits");
        await context.makeDue(id);
        await ended(id);
        assert.deepEqual(kinds(), ["monitor.changed", "monitor.changed", "monitor.recovered"]);
      } finally {
        await other.close();
      }
    });

    it("is sent by another node after its lease expires", async () => {
      const id = monitor();
      receiver.answers = [{ status: 503 }, {}];
      await context.report(id, hook(), changedPages("/a"));
      await attempted(id);
      const lease = (interval: string) => leaseElsewhere(context.em(), id, interval);
      await lease("1 hour");
      context.wake();
      // Another notification is sent meanwhile, so the node has polled.
      const onlooker = monitor();
      await context.report(onlooker, hook(), changedPages("/a"));
      await ended(onlooker);
      assert.deepEqual(await statuses(id), ["queued"]);
      await lease("-1 second");
      context.wake();
      await ended(id);
      const [sent] = await context.notifications(id);
      assert.deepEqual([sent?.status, sent?.attempts], ["sent", 3]);
    });

    it("deletes its secrets when it ends, and never logs them", async () => {
      const id = monitor();
      const path = "/services/T0/B0/abcdefghijklmnop";
      receiver.answers = [{}, { status: 410 }];
      await context.report(
        id,
        { ...hook(path), pagerduty: "routing-key-of-the-tests-1234" },
        changedPages("/a"),
      );
      await context.call("alerts.test", { monitor: reportOn(id, { slack: receiver.url(path) }, OK).monitor });
      const team = `team_of_${id}`;
      const read = () => context.call("alerts.notifications", { monitorId: id, query: { limit: 20 } }, team);
      const before = await read();
      await until(async () =>
        (await context.notifications(id))
          .filter(row => row.channel !== "pagerduty")
          .every(row => row.status !== "queued"),
      );
      await failQueued(context.em(), id);
      const log = await read();
      for (const secret of [SECRET, path, "routing-key"]) {
        assert.ok(!JSON.stringify([before, log]).includes(secret), secret);
        const rows = await storedNotifications(context.em(), id);
        assert.ok(!JSON.stringify(rows).includes(secret), secret);
      }
      assert.ok(
        log.data.every(({ receiver: name }) => /mnop$|1234$/.test(name)),
        JSON.stringify(log.data),
      );
    });

    it("is listed for the own team, newest first, in pages", async () => {
      const id = monitor();
      for (const outcome of [changedPages("/a"), changedPages("/b"), OK])
        await context.report(id, hook(), outcome);
      await ended(id);
      const page = (limit: number, cursor?: string, team = `team_of_${id}`) =>
        context.call(
          "alerts.notifications",
          { monitorId: id, query: { limit, ...(cursor && { cursor }) } },
          team,
        );
      const first = await page(2);
      assert.deepEqual(
        first.data.map(({ kind }) => kind),
        ["recovered", "changed"],
      );
      const rest = await page(2, first.nextCursor ?? "");
      assert.deepEqual([rest.data.map(({ kind }) => kind), rest.nextCursor], [["changed"], null]);
      await assert.rejects(page(20, undefined, "team_other"), { type: "not_found" });
    });

    it("is dropped with its monitor, and deleted with its team", async () => {
      const id = monitor();
      receiver.answers = [{ status: 500 }];
      await context.report(id, hook(), changedPages("/a"));
      await attempted(id);
      await context.call("alerts.deleteMonitor", { monitor: reportOn(id, {}, OK).monitor });
      assert.deepEqual(await statuses(id), ["dropped"]);
      assert.equal((await context.call("alerts.status", { monitorIds: [id] }))[0]?.alertingSince, null);
      await deleteAllGone(context.service.context);
      assert.equal(
        (await context.notifications(id)).length,
        1,
        "the team is there, whoever says that it is gone",
      );
      context.gone.add(`team_of_${id}`);
      await deleteAllGone(context.service.context);
      assert.deepEqual(await context.notifications(id), []);
    });

    it("closes the open incident of a deleted team, and is deleted after that", async () => {
      const id = monitor();
      const teamId = `team_of_${id}`;
      const pagerduty = "e".repeat(32);
      const sent = () =>
        incidents.received
          .map(({ body }) => JSON.parse(body))
          .filter(({ dedup_key: key }) => key.startsWith(`${id}/`))
          .map(({ event_action: action }) => action);
      await context.report(id, { pagerduty }, changedPages("/a"));
      await ended(id);
      context.gone.add(teamId);
      // As for the event of the deletion, which the monitors service handles at the same time.
      await deleteReceiversOfGone(context.service.context, [teamId]);
      incidents.answers = [{ status: 500 }, {}];
      await context.call("alerts.deleteMonitor", { monitor: reportOn(id, { pagerduty }, OK).monitor });
      await until(() => sent().length === 2);
      await deleteAllGone(context.service.context);
      await attempted(id);
      assert.deepEqual(await statuses(id), ["queued"]);
      await context.makeDue(id);
      await until(() => sent().length === 3);
      await ended(id);
      assert.deepEqual(sent(), ["trigger", "resolve", "resolve"]);
      await deleteAllGone(context.service.context);
      assert.deepEqual(await context.notifications(id), []);
    });

    it("closes the open incident once if the routing key changes or the monitor is deleted", async () => {
      const id = monitor();
      const [first, second] = ["a".repeat(32), "b".repeat(32)];
      const withKey = (pagerduty: string) => reportOn(id, { pagerduty }, OK).monitor;
      const told = () =>
        incidents.received
          .map(({ body }) => JSON.parse(body))
          .filter(({ dedup_key: key }) => key.startsWith(`${id}/`))
          .map(({ event_action: what, routing_key: key }) => `${what} ${key[0]}`);
      await context.call("alerts.closeIncident", { monitor: withKey(first) });
      await context.report(id, { pagerduty: first }, changedPages("/a"));
      for (let times = 0; times < 2; times += 1)
        await context.call("alerts.closeIncident", { monitor: withKey(first) });
      await ended(id);
      assert.deepEqual(told(), ["trigger a", "resolve a"]);
      await context.report(id, { pagerduty: second }, changedPages("/b"));
      await ended(id);
      for (let times = 0; times < 2; times += 1)
        await context.call("alerts.deleteMonitor", { monitor: withKey(second) });
      await ended(id);
      assert.deepEqual(told().slice(2), ["resolve b", "trigger b", "resolve b"]);
    });

    it("closes the open incidents of conditions if the routing key changes or the monitor is deleted", async () => {
      const id = monitor();
      const [first, second] = ["c".repeat(32), "d".repeat(32)];
      const withKey = (pagerduty: string) => reportOn(id, { pagerduty }, OK).monitor;
      const told = () =>
        incidents.received
          .map(({ body }) => JSON.parse(body))
          .filter(({ dedup_key: key }) => key.startsWith(`${id}/`))
          .map(({ event_action: what, routing_key: key, dedup_key: about }) =>
            [what, key[0], about.slice(id.length)].join(" "),
          );
      const report = async (kind: "failing" | "certificate" | "renewed", key: string) => {
        const about = {
          title: "Shop",
          text: "The page responded with status 503.",
          monitors: [withKey(key)],
        };
        const condition = { ...about, kind, source: `${kind} ${id}`, at: new Date().toISOString() };
        await context.call("alerts.reportCondition", condition);
        await ended(id);
      };
      await report("failing", first);
      await report("certificate", first);
      await report("renewed", first);
      for (let times = 0; times < 2; times += 1)
        await context.call("alerts.closeIncident", { monitor: withKey(first) });
      await ended(id);
      assert.deepEqual(told(), [
        "trigger c /http",
        "trigger c /certificate",
        "resolve c /certificate",
        "resolve c /http",
      ]);
      for (let times = 0; times < 2; times += 1)
        await context.call("alerts.deleteMonitor", { monitor: withKey(second) });
      await ended(id);
      assert.deepEqual(told().slice(4), ["resolve d /http"]);
    });

    it("is deleted with a team whose event was lost", async () => {
      const [gone, kept] = [monitor(), monitor()];
      for (const id of [gone, kept]) {
        await context.report(id, hook(), changedPages("/a"));
        await ended(id);
      }
      context.gone.add(`team_of_${gone}`);
      await deleteAllGone(context.service.context);
      assert.deepEqual(
        [(await context.notifications(gone)).length, (await context.notifications(kept)).length],
        [0, 1],
      );
      assert.deepEqual(await tablesWith(context.em(), gone), []);
    });
  });

  describe("A node that stops", () => {
    it("loses and repeats no notification", async () => {
      const [sent, waiting] = [monitor(), monitor()];
      const report = reportOn(sent, hook(), changedPages("/a"));
      await context.call("alerts.report", report);
      await ended(sent);
      receiver.answers = [{ status: 500 }, {}];
      await context.report(waiting, hook(), changedPages("/a"));
      await attempted(waiting);
      await context.stop();
      context = await context.again();
      assert.equal(await context.call("alerts.report", report), "alerted");
      assert.equal(await context.report(sent, hook(), changedPages("/a")), "repeated");
      await context.makeDue(waiting);
      await ended(waiting);
      assert.equal(receiver.received.length, 3);
      assert.deepEqual(await statuses(sent), ["sent"]);
    });

    it("waits for running attempts", async () => {
      const id = monitor();
      receiver.answers = [{ waitMs: 300 }];
      await context.report(id, hook(), changedPages("/a"));
      await until(() => receiver.received.length === 1);
      await context.stop();
      context = await context.again();
      assert.deepEqual(await statuses(id), ["sent"]);
      assert.equal(receiver.received.length, 1);
    });
  });

  it("isolates channels that hang and teams with many notifications", async () => {
    const hanging = await HttpReceiver.start();
    hanging.answers = [{ waitMs: 30_000 }];
    try {
      const many = Array.from({ length: 40 }, monitor);
      const of = (id: string, channels: object, outcome: CheckOutcome) => {
        const report = reportOn(id, channels, outcome);
        return { ...report, monitor: { ...report.monitor, teamId: "team_loud" } };
      };
      await Promise.all(
        many.map(id => context.call("alerts.report", of(id, { slack: hanging.url() }, changedPages("/a")))),
      );
      const countRunning = () => countLeased(context.em(), "team_loud");
      await until(async () => (await countRunning()) > 8);
      const quiet = monitor();
      await context.report(quiet, { ...hook(), slack: receiver.url("/slack") }, changedPages("/a"));
      await ended(quiet);
      assert.deepEqual(await statuses(quiet), ["sent", "sent"]);
      assert.ok((await countRunning()) <= 32, "half of the channel's places");
      await dropTeamNotifications(context.em(), "team_loud");
    } finally {
      await hanging.close();
    }
  });

  describe("mail", () => {
    const notice = (id: string, to: string[]) => ({
      id,
      teamId: null,
      to,
      subject: "You are invited",
      paragraphs: ["Come in."],
      button: { label: "Sign in", url: "http://localhost:4400/auth/login" },
    });

    it("is sent once to each address, also if the message is repeated", async () => {
      const [a, b] = [`a-${newId("run")}@example.com`, `b-${newId("run")}@example.com`];
      const id = newId("inv");
      await Promise.all(Array.from({ length: 5 }, () => context.call("alerts.mail", notice(id, [a, b]))));
      await until(() => mails.to(a).length > 0 && mails.to(b).length > 0);
      await context.call("alerts.mail", notice(id, [a, b]));
      const { mail } = mails.only(a);
      assert.deepEqual([mail.subject, mail.from?.text], ["You are invited", '"vrs" <vrs@example.com>']);
      mails.only(b);
    });

    it("fails for a refused address with the server's response, and doesn't delay others", async () => {
      const id = monitor();
      const [gone, busy, good] = ["gone", "busy", "good"].map(name => `${name}-${id}@example.com`);
      assert.ok(gone && busy && good);
      mails.refusals.set(gone, { code: 550, message: "5.1.1 no such user" });
      mails.refusals.set(busy, { code: 451, message: "4.7.1 come back later" });
      await context.report(id, { email: [gone, busy, good] }, changedPages("/a"));
      await until(async () => (await context.notifications(id)).every(row => row.answer !== null));
      const rows = await context.notifications(id);
      assert.deepEqual(
        rows.map(({ status }) => status),
        ["failed", "queued", "sent"],
      );
      assert.match(rows[0]?.answer ?? "", /550.*no such user/);
      assert.match(rows[1]?.answer ?? "", /451.*come back later/);
      mails.refusals.delete(busy);
      await context.makeDue(id);
      await ended(id);
      const { mail } = mails.only(busy);
      assert.equal(mail.messageId, `<${rows[1]?.id}@example.com>`);
      assert.equal(mails.asked.filter(address => address === gone).length, 1);
    });

    it("is not sent to unsubscribed addresses", async () => {
      const id = monitor();
      const address = `Me-${id}@example.com`;
      await context.call("alerts.unsubscribe", {
        monitorId: id,
        teamId: `team_of_${id}`,
        address: address.toLowerCase(),
      });
      await context.report(id, { email: [address] }, changedPages("/a"));
      const [row] = await context.notifications(id);
      assert.equal(row?.status, "dropped");
      assert.match(row?.answer ?? "", /unsubscribed/);
    });

    it("notifies a team's admins once about a usage limit", async () => {
      const address = `admin-${newId("run")}@example.com`;
      context.admins.splice(0, context.admins.length, address);
      const noticed = {
        teamId: newId("team"),
        allowance: "runs",
        percent: 80,
        limit: 50,
        used: 40,
        resetsAt: "2026-12-01T00:00:00.000Z",
      } as const;
      await context.call("alerts.mailUsage", noticed);
      await context.call("alerts.mailUsage", noticed);
      await until(() => mails.to(address).length > 0);
      await context.call("alerts.mailUsage", { ...noticed, percent: 100, used: 50 });
      await until(() => mails.to(address).length > 1);
      await context.call("alerts.mailUsage", { ...noticed, limit: 500, used: 400 });
      await until(() => mails.to(address).length > 2);
      const subjects = mails.to(address).map(({ mail }) => mail.subject);
      assert.deepEqual(subjects, [
        "Acme used 80% of this month's runs",
        "Acme reached this month's limit of runs",
        "Acme used 80% of this month's runs",
      ]);
      assert.match(
        mails.to(address)[0]?.mail.text ?? "",
        /used 40 of 50 runs this month[\s\S]*December 1, 2026 at 12:00 AM UTC/,
      );
    });
  });
};

for (const database of DATABASES) describe(`Alerts, on ${database.name}`, alertsOn(database));
