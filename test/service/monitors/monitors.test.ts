import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import { PLANS } from "../../../services/billing/plans.ts";
import { startDueChecks } from "../../../services/monitors/checks/check.store.ts";
import { noteApproval } from "../../../services/monitors/checks/report-check.ts";
import { startDue } from "../../../services/monitors/checks/start-due.ts";
import {
  cleanUpTeams,
  pruneChecks,
  recoverChecks,
  recoverReports,
} from "../../../services/monitors/recovery-sweep.ts";
import { deleteTeamData, purgeMonitors } from "../../../services/monitors/settings/delete-monitor.ts";
import { findMonitor } from "../../../services/monitors/settings/monitor.store.ts";
import { WHOLE_PAGE } from "../../../shared/alerts/fingerprint.rule.ts";
import { broadcast, emit } from "../../../shared/contracts/bus.ts";
import { type ChangeMonitor, createMonitorBody } from "../../../shared/contracts/monitors/monitors.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { ERRORS } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import { MonitorTestContext } from "../../support/contexts/monitor-context.ts";
import { until } from "../../support/drivers/until.ts";
import { DATABASES, type DatabaseKind, type TestDatabase } from "../../support/servers/databases.ts";

const LIMIT = { type: "plan_limit_exceeded", code: 402 };
const SECRET = "a-secret-of-the-receiver";
const SLACK = "https://hooks.example.com/services/T000/B000/wxyz";
const KEY = "0123456789abcdef0123456789abcdef";

const monitorsOn = (database: DatabaseKind) => () => {
  database.needed();
  let made: TestDatabase;
  let context: MonitorTestContext;

  before(async () => {
    made = await database.make();
    context = await MonitorTestContext.start(made);
  });
  after(async () => {
    await context?.stop();
    await made?.remove();
  });

  const change = (caller: Caller, id: string, body: ChangeMonitor) =>
    context.ask("monitors.change", { id, body }, caller);
  const makeDue = (id: string, interval = "1 second") =>
    context.sql(`update monitors.monitor set next_at = now() - interval '${interval}' where id = ?`, [id]);
  const age = (id: string, interval: string) =>
    context.sql(
      `update monitors.check set touched_at = touched_at - interval '${interval}',
         started_at = started_at - interval '${interval}', ended_at = ended_at - interval '${interval}'
       where monitor_id = ?`,
      [id],
    );
  const checksOf = async (caller: Caller, id: string) =>
    (await context.ask("monitors.history", { id, query: { limit: 100 } }, caller)).data;
  /** Waits until nobody is still to be told of what its checks found. */
  const toldAll = (id: string) =>
    until(async () => {
      const untold = "select from monitors.check where monitor_id = ? and reported_at is null";
      return (await context.sql(untold, [id])).length === 0;
    });
  const runsOf = async (caller: Caller) =>
    (await context.ask("runs.list", { query: { limit: 100 } }, caller)).data;
  const show = (url: string, ...shown: Parameters<typeof context.shows.set>[1]) =>
    context.shows.set(url, shown);

  describe("as things that are kept", () => {
    it("refuses channels of who is no admin, and takes the rest", async () => {
      const reviewer = context.team("business", "reviewer");
      await assert.rejects(context.create(reviewer, { alerts: { email: ["a@example.com"] } }), {
        type: "forbidden",
        message: /Only team admins/,
      });
      const { id } = await context.create(reviewer);
      await assert.rejects(change(reviewer, id, { alerts: { slack: null } }), { type: "forbidden" });
      assert.equal((await change(reviewer, id, { name: "Other" })).name, "Other");
    });

    it("refuses addresses that may not be rendered or written to, by their field", async () => {
      const admin = context.team();
      const refused = (body: Parameters<typeof context.create>[1], path: string) =>
        assert.rejects(context.create(admin, body), (error: { data?: { errors?: { path: string }[] } }) => {
          assert.equal(error.data?.errors?.[0]?.path, path);
          return true;
        });
      await refused({ url: "http://169.254.169.254" }, "url");
      await refused({ alerts: { slack: "https://10.0.0.1/hook" } }, "alerts.slack");
      await refused({ alerts: { slack: "http://hooks.example.com/x" } }, "alerts.slack");
      await refused(
        { alerts: { webhook: { url: "http://example.com", secret: SECRET } } },
        "alerts.webhook.url",
      );
      const allowed = await context.create(admin, { alerts: { slack: "http://localhost:4000/hook" } });
      assert.equal(allowed.alerts.slack?.tail, "hook");
      const { id } = await context.create(admin);
      await assert.rejects(change(admin, id, { alerts: { webhook: { url: "https://example.com" } } }), {
        type: "invalid_request",
        message: /"alerts\.webhook\.secret" is required/,
      });
      const many = Array.from({ length: 60 }, (_, index) => `/${index}`);
      await change(admin, id, { routes: many });
      await assert.rejects(change(admin, id, { viewports: [375, 1280] }), { message: /120 screenshots/ });
    });

    it("has the defaults, and shows of secrets the tail", async () => {
      const admin = context.team();
      const { id, createdAt, nextRunAt, ...view } = await context.create(admin, {
        alerts: {
          slack: SLACK,
          email: ["a@example.com"],
          pagerduty: KEY,
          webhook: { url: "https://receiver.example/in", secret: SECRET },
        },
      });
      assert.deepEqual(view, {
        name: "Home",
        url: "https://example.com",
        routes: ["/"],
        viewports: [1280],
        intervalMinutes: 60,
        alertThreshold: 0.02,
        options: {},
        alerts: {
          slack: { tail: "wxyz" },
          email: ["a@example.com"],
          pagerduty: { tail: "cdef" },
          webhook: { host: "receiver.example", tail: "e/in" },
        },
        paused: false,
        hold: null,
        scheduled: true,
        notScheduledBecause: null,
        status: "never",
        currentCheck: null,
        lastCheck: null,
        recentChecks: [],
        lastChangeAt: null,
        uptime: null,
        snoozedUntil: null,
        alertingSince: null,
      });
      const firstInMs = Date.parse(nextRunAt ?? "") - Date.parse(createdAt);
      assert.ok(firstInMs > -1_000 && firstInMs < 61_000, `${firstInMs}`);
      const list = await context.ask("monitors.list", { query: { limit: 1 } }, admin);
      for (const text of [JSON.stringify(list), JSON.stringify(await context.get(admin, id))])
        for (const hidden of [SECRET, "T000", KEY.slice(0, 8)]) assert.ok(!text.includes(hidden), hidden);
    });

    it("leaves what a change does not name, and takes away what it names as null", async () => {
      const admin = context.team();
      const webhook = { url: "https://receiver.example/in", secret: SECRET };
      const { id } = await context.create(admin, {
        alerts: { slack: SLACK, email: ["a@example.com"], webhook },
      });
      const after = await change(admin, id, {
        alerts: { slack: null, webhook: { url: "https://other.example/to" } },
      });
      assert.deepEqual(after.alerts, {
        slack: null,
        email: ["a@example.com"],
        pagerduty: null,
        webhook: { host: "other.example", tail: "e/to" },
      });
      assert.deepEqual((await findMonitor(context.monitors.em(), admin.teamId, id))?.channels, {
        email: ["a@example.com"],
        webhook: { url: "https://other.example/to", secret: SECRET },
      });
    });

    it("shows of headers the names, and leaves options that a change does not name", async () => {
      const admin = context.team();
      const headers = { authorization: SECRET };
      const perRoute = { "/": { hide: [".ad"], headers } };
      const { id, options } = await context.create(admin, {
        options: { hide: [".chat"], headers, perRoute },
      });
      const shown = {
        headers: ["authorization"],
        perRoute: { "/": { hide: [".ad"], headers: ["authorization"] } },
      };
      assert.deepEqual(options, { ...shown, hide: [".chat"] });
      const after = await change(admin, id, { options: { hide: [], masks: [".clock"] } });
      assert.deepEqual(after.options, { ...shown, masks: [".clock"] });
      for (const answer of [after, await context.get(admin, id)])
        assert.ok(!JSON.stringify(answer).includes(SECRET), "no header's value is shown");
      assert.deepEqual((await findMonitor(context.monitors.em(), admin.teamId, id))?.options, {
        masks: [".clock"],
        headers,
        perRoute,
      });
      await assert.rejects(change(admin, id, { routes: ["/other"] }), {
        type: "invalid_request",
        message: /"options\.perRoute" contains \/, which is not one of the routes/,
      });
    });

    it("has headers follow to no other site by themselves", async () => {
      const admin = context.team();
      const url = "https://other.example";
      for (const [options, field] of [
        [{ headers: { authorization: SECRET } }, "headers"],
        [{ perRoute: { "/": { headers: { authorization: SECRET } } } }, "perRoute"],
      ] as const) {
        const { id } = await context.create(admin, { options });
        await change(admin, id, { url: "https://example.com/shop" });
        await assert.rejects(change(admin, id, { url }), {
          type: "invalid_request",
          message: new RegExp(`^"options\\.${field}" contains headers for the previous site`),
        });
        await assert.rejects(change(admin, id, { url, options: { masks: ["a"] } }), {
          type: "invalid_request",
        });
        assert.equal((await change(admin, id, { url, options: { [field]: null } })).url, url);
      }
    });

    it("shows one team nothing of another's", async () => {
      const { id } = await context.create(context.team());
      const other = context.team();
      const missing = { type: "not_found" };
      await assert.rejects(context.get(other, id), missing);
      await assert.rejects(change(other, id, { name: "Mine" }), missing);
      await assert.rejects(context.ask("monitors.run", { id, checkId: newId("chk") }, other), missing);
      await assert.rejects(context.ask("monitors.history", { id, query: { limit: 1 } }, other), missing);
      await assert.rejects(context.ask("monitors.snooze", { id, hours: 1 }, other), missing);
      await assert.rejects(context.ask("monitors.testAlert", { id }, other), missing);
      await assert.rejects(context.ask("monitors.delete", { id }, other), missing);
    });

    it("takes just as many as the plan holds when thirty are created at once, and the same message once", async () => {
      const team = context.team("pro");
      const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => context.create(team)));
      assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 10);
      for (const outcome of outcomes)
        if (outcome.status === "rejected")
          assert.equal(outcome.reason.type, LIMIT.type, outcome.reason.stack);
      await assert.rejects(context.create(team), { ...LIMIT, data: { limit: 10, used: 10 } });
      assert.equal(await context.ask("monitors.count", { teamId: team.teamId }, team), 10);
      const { data, nextCursor } = await context.ask("monitors.list", { query: { limit: 4 } }, team);
      const rest = await context.ask(
        "monitors.list",
        { query: { limit: 100, cursor: nextCursor ?? "" } },
        team,
      );
      assert.equal(new Set([...data, ...rest.data].map(({ id }) => id)).size, 10);

      const [first] = data;
      await context.ask("monitors.delete", { id: first?.id ?? "" }, team);
      const again = {
        id: newId("mon"),
        body: createMonitorBody.parse({ name: "Again", url: "https://example.com" }),
      };
      const both = [1, 2].map(() => context.ask("monitors.create", again, team));
      assert.deepEqual(new Set((await Promise.all(both)).map(({ id }) => id)), new Set([again.id]));
    });

    it("hands snoozes and samples on, and says how alerts stand", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      assert.deepEqual(await context.ask("monitors.testAlert", { id }, admin), { deliveries: [] });
      await change(admin, id, { alerts: { email: ["a@example.com"], slack: SLACK } });
      const { deliveries } = await context.ask("monitors.testAlert", { id }, admin);
      assert.deepEqual(deliveries.map(({ channel }) => channel).sort(), ["email", "slack"]);
      const again = () => context.ask("monitors.testAlert", { id }, admin);
      const atFirst = await Promise.allSettled(Array.from({ length: 6 }, again));
      assert.equal(atFirst.filter(({ status }) => status === "fulfilled").length, 3);
      await assert.rejects(
        again(),
        (error: Error & { type?: string; data?: { retryAfterSeconds?: number } }) => {
          assert.match(error.message, /channels of this monitor were tested too often/);
          assert.doesNotMatch(ERRORS.rate_limited.title, /key/, "it is not the key's limit");
          const seconds = error.data?.retryAfterSeconds ?? 0;
          assert.ok(
            error.type === "rate_limited" && seconds > 0 && seconds <= 60,
            `${error.type} ${seconds}`,
          );
          return true;
        },
      );
      await context.sql(
        "update monitors.monitor set tested_at = tested_at - interval '61 seconds' where id = ?",
        [id],
      );
      const both = await Promise.allSettled([again(), again(), again()]);
      assert.equal(both.filter(({ status }) => status === "fulfilled").length, 1);
      const { snoozedUntil } = await context.ask("monitors.snooze", { id, hours: 3 }, admin);
      assert.deepEqual(context.alerts.snoozers, [admin.actor.id]);
      assert.equal((await context.get(admin, id)).snoozedUntil, snoozedUntil);
    });

    it("deletes a monitor with its history, its secrets at once", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { alerts: { slack: SLACK } });
      await context.check(admin, id);
      await change(admin, id, { url: "https://other.example" });
      await context.check(admin, id);
      const baselines = () =>
        context.sql(
          "select from runs.baseline b join runs.project p on p.id = b.project_id where p.team_id = ?",
          [admin.teamId],
        );
      assert.equal((await baselines()).length, 2);
      const exists = (teamId = admin.teamId) => context.ask("monitors.exists", { id, teamId }, admin);
      assert.deepEqual([await exists(), await exists(context.team().teamId)], [true, false]);
      await context.ask("monitors.delete", { id }, admin);
      assert.equal(await exists(), false);
      await assert.rejects(context.get(admin, id), { type: "not_found" });
      for (const table of ["monitor where id", "check where monitor_id"])
        await until(async () => (await context.sql(`select from monitors.${table} = ?`, [id])).length === 0);
      assert.ok(context.alerts.deletedMonitors.includes(id));
      assert.deepEqual(await baselines(), []);
    });

    it("is deleted all or nothing: once billing answers again, one that it made no room for has it", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      const { id: next } = await context.create(admin);
      context.plans.set(admin.teamId, PLANS.free);
      assert.equal((await context.get(admin, next)).hold, "over");
      context.isBillingAway = true;
      try {
        await assert.rejects(context.ask("monitors.delete", { id }, admin), /No plans today/);
      } finally {
        context.isBillingAway = false;
      }
      assert.equal((await context.get(admin, next)).hold, "over");
      await context.ask("monitors.delete", { id }, admin);
      assert.equal((await context.get(admin, next)).hold, "plan");
      const noted = () =>
        context.noted.filter(({ type, target }) => type === "monitor.deleted" && target === id);
      await until(() => noted().length === 1);
    });

    it("ends the check that is under way with the monitor, also where its node went away", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/removed"] });
      const release = context.hold();
      try {
        const { runId } = await context.ask("monitors.run", { id, checkId: newId("chk") }, admin);
        // As a node does that goes away then.
        await context.sql("update monitors.monitor set deleted_at = now(), next_at = null where id = ?", [
          id,
        ]);
        await purgeMonitors(context.monitors);
        assert.equal((await context.ask("runs.get", { id: runId }, admin)).status, "canceled");
        assert.deepEqual(await context.sql("select from monitors.monitor where id = ?", [id]), []);
      } finally {
        release();
      }
    });

    it("forgets what it knew of a team without monitors", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      await context.ask("monitors.delete", { id }, admin);
      await until(
        async () => (await context.sql("select from monitors.monitor where id = ?", [id])).length === 0,
      );
      const captureOptions = (ago: string) =>
        context.sql(`update monitors.team set plan_read_at = now() - interval '${ago}' where id = ?`, [
          admin.teamId,
        ]);
      const rows = () =>
        context.sql<{ aging: boolean }>(
          "select plan_read_at < now() - interval '10 minutes' as aging from monitors.team where id = ?",
          [admin.teamId],
        );
      await captureOptions("11 minutes");
      await cleanUpTeams(context.monitors);
      assert.deepEqual(await rows(), [{ aging: true }], "nobody asks for it");
      await captureOptions("61 minutes");
      await cleanUpTeams(context.monitors);
      assert.deepEqual(await rows(), []);
    });

    it("has an incident closed with the key that opened it, when the key is another or the monitor deleted", async () => {
      const admin = context.team();
      const other = KEY.replace("0", "9");
      const { id } = await context.create(admin, { alerts: { pagerduty: KEY, slack: SLACK } });
      context.alerts.closed.length = 0;
      await change(admin, id, { alerts: { email: ["a@example.com"] } });
      await change(admin, id, { alerts: { pagerduty: other } });
      await context.ask("monitors.delete", { id }, admin);
      await until(() => context.alerts.deletedMonitors.includes(id));
      assert.deepEqual(context.alerts.closed, [{ pagerduty: KEY }, { pagerduty: other }]);
    });

    it("forgets a team that is gone", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      await context.check(admin, id);
      await deleteTeamData(context.monitors, admin.teamId);
      assert.equal((await context.get(admin, id)).id, id, "it is there, whoever says that it is gone");
      context.gone.add(admin.teamId);
      await broadcast(context.broker, "team.gone", { teamId: admin.teamId });
      await until(
        async () => (await context.sql("select from monitors.monitor where id = ?", [id])).length === 0,
      );
    });
  });

  it("forgets a team whose end nobody told", async () => {
    const admin = context.team();
    const { id } = await context.create(admin, { alerts: { slack: SLACK } });
    context.gone.add(admin.teamId);
    await context.sql("update monitors.team set plan_read_at = now() - interval '11 minutes' where id = ?", [
      admin.teamId,
    ]);
    await cleanUpTeams(context.monitors);
    await purgeMonitors(context.monitors);
    assert.deepEqual(await context.sql("select from monitors.monitor where id = ?", [id]), []);
    assert.ok(context.alerts.deletedMonitors.includes(id));
  });

  describe("checks", () => {
    it("establishes the baseline first, then compares with it", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/", "/b"], viewports: [375, 1280] });
      const first = await context.check(admin, id);
      assert.equal(first.outcome, "established");
      assert.equal(first.attempts, 1);
      assert.deepEqual(
        first.drift.map(({ state }) => state),
        ["new", "new", "new", "new"],
      );
      const second = await context.check(admin, id);
      assert.equal(second.outcome, "ok");
      assert.deepEqual(
        second.drift.map(({ ratio }) => ratio),
        [0, 0, 0, 0],
      );
      const view = await context.get(admin, id);
      assert.equal(view.status, "ok");
      assert.equal(view.lastCheck?.id, second.id);
      assert.equal(view.uptime, 1);
      assert.equal(view.lastChangeAt, null);
      await until(() => context.alerts.of(id).length === 2);
      assert.deepEqual(context.alerts.of(id), ["ok", "ok"]);
      const [run] = await runsOf(admin);
      assert.equal(run?.project, `monitor/${id}`);
      assert.equal(run?.threshold, 0.02);
    });

    it("says which pages have minor changes, within the alert threshold, and alerts nobody of them", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/x", "/y"], alertThreshold: 0.5 });
      await context.check(admin, id);
      show("https://example.com/y@1280", "a little new");
      const check = await context.check(admin, id);
      assert.equal(check.outcome, "ok");
      assert.deepEqual(
        check.drift.map(({ route, ratio, state, minor }) => ({ route, ratio, state, minor })),
        [
          { route: "/x", ratio: 0, state: "ok", minor: false },
          { route: "/y", ratio: 0.25, state: "ok", minor: true },
        ],
      );
      await until(() => context.alerts.of(id).length === 2);
      assert.deepEqual(context.alerts.of(id), ["ok", "ok"]);
    });

    it("looks again at what changed, and there only, before it says so; approved, all is well at once", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/x", "/y"], viewports: [375, 1280] });
      await context.check(admin, id);
      show("https://example.com/y@1280", "new look");
      context.rendered.length = 0;
      const check = await context.check(admin, id);
      assert.equal(check.outcome, "changed");
      assert.equal(check.attempts, 2);
      assert.deepEqual(context.rendered.slice(4), ["/y@1280"], "the second look is at what changed alone");
      assert.deepEqual(
        check.drift.filter(({ state }) => state !== "ok"),
        [{ route: "/y", viewport: 1280, ratio: 0.25, state: "changed", minor: false }],
      );
      await until(() => context.alerts.of(id).length === 2);
      assert.deepEqual(context.alerts.of(id)[1], "changed /y@1280");
      const [regression] = context.alerts.reports.flatMap(({ monitor, outcome }) =>
        monitor.id === id && outcome.kind === "changed" ? outcome.regressions : [],
      );
      assert.match(regression?.images.current ?? "", /^[0-9a-f]{64}$/);
      assert.notEqual(regression?.images.current, regression?.images.baseline);
      const before = await context.get(admin, id);
      assert.equal(before.status, "changed");
      assert.ok(before.lastChangeAt);

      await context.ask("runs.approve", { runId: check.runId }, admin);
      await until(async () => (await context.get(admin, id)).status === "ok");
      await until(() => context.alerts.of(id).length === 3);
      assert.equal(context.alerts.of(id)[2], "ok");
      const times = context.alerts.reports.filter(({ monitor }) => monitor.id === id).map(({ at }) => at);
      assert.deepEqual(times, times.toSorted());
      assert.equal((await context.check(admin, id)).outcome, "ok");
    });

    it("says where a baseline was captured by renderers that draw differently", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/x", "/drawn"] });
      try {
        context.rendering = "a".repeat(16);
        await context.check(admin, id);
        context.rendering = "b".repeat(16);
        assert.deepEqual((await context.check(admin, id)).warnings, [], "nothing changed");
        show("https://example.com/drawn@1280", "new look");
        const check = await context.check(admin, id);
        const message =
          "1 baseline was captured by another browser build or with other fonts. Differences may come from that.";
        assert.deepEqual([check.outcome, check.warnings], ["changed", [{ message, place: null }]]);
        await until(() => context.alerts.of(id).length === 3);
        const last = context.alerts.reports.findLast(({ monitor }) => monitor.id === id);
        assert.ok(last?.outcome.kind === "changed");
        assert.deepEqual(
          last.outcome.regressions.map(({ route, isOtherRenderer }) => [route, isOtherRenderer]),
          [["/drawn", true]],
        );
      } finally {
        context.rendering = null;
      }
    });

    it("names the run that shows what was confirmed and nothing else", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/stays", "/flickers", "/comes"] });
      const { runId: first } = await context.check(admin, id);
      assert.equal((await checksOf(admin, id))[0]?.runId, first);
      show("https://example.com/stays@1280", "new look");
      show("https://example.com/flickers@1280", "half loaded", "as ever");
      show("https://example.com/comes@1280", { blame: "page", reason: "It answered 500." }, "new look");
      const check = await context.check(admin, id);
      assert.deepEqual([check.outcome, check.attempts], ["changed", 3]);
      await until(() => context.alerts.of(id).length === 2);
      assert.deepEqual(context.alerts.of(id)[1], "changed /stays@1280 /comes@1280");
      assert.equal(context.alerts.reports.find(report => report.checkId === check.id)?.runId, check.runId);
      assert.ok(check.report.includes(check.runId));
      await context.ask("runs.approve", { runId: check.runId }, admin);
      assert.equal(
        (await context.check(admin, id)).outcome,
        "ok",
        "the flicker was not approved, and all else was",
      );
    });

    it("is well only when all that it found is approved, and the run says so itself", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/one", "/two"] });
      await context.check(admin, id);
      show("https://example.com/one@1280", "new look");
      show("https://example.com/two@1280", { blame: "page", reason: "It answered 500." }, "new look");
      const check = await context.check(admin, id);
      assert.equal(check.outcome, "changed");
      await until(() => context.alerts.of(id).length === 2);
      const first = check.id.replace("chk_", "run_");
      assert.notEqual(check.runId, first);
      await noteApproval(context.monitors, check.runId);
      const stands = async () => [(await context.get(admin, id)).status, context.alerts.of(id).length];
      assert.deepEqual(await stands(), ["changed", 2], "nobody has approved anything");
      await context.ask("runs.approve", { runId: first }, admin);
      const isDue = () => context.sql("select from monitors.monitor where id = ? and next_at <= now()", [id]);
      await until(async () => (await isDue()).length === 1);
      assert.deepEqual(await stands(), ["changed", 2], "there /two failed");
      await context.ask("runs.approve", { runId: check.runId }, admin);
      await until(async () => (await context.get(admin, id)).status === "ok");
    });

    it("does not approve what a person rejected, and says so until she takes it back", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/ugly", "/fine"] });
      const { runId } = await context.check(admin, id);
      const { data } = await context.ask("runs.screenshots", { runId, query: { limit: 100 } }, admin);
      const ugly = data.filter(({ route }) => route === "/ugly").map(shot => shot.id);
      await context.ask("runs.reject", { runId, screenshots: ugly, reason: "No." }, admin);
      for (let times = 0; times < 2; times += 1) {
        const check = await context.check(admin, id);
        assert.equal(check.outcome, "failed");
        assert.match(check.error ?? "", /rejected the first screenshot of \/ugly at 1280 px/);
      }
      await toldAll(id);
      assert.deepEqual(context.alerts.of(id), ["ok"]);
      await context.ask("runs.dismiss", { runId, reason: "Well.", own: false }, admin);
      assert.equal((await context.check(admin, id)).outcome, "established");
    });

    it("looks again at once when what an earlier check found is approved", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/alerted"] });
      await context.check(admin, id);
      show("https://example.com/alerted@1280", "new look");
      const { runId } = await context.check(admin, id);
      assert.equal((await context.check(admin, id)).outcome, "changed");
      await context.ask("runs.approve", { runId }, admin);
      const isDue = () => context.sql("select from monitors.monitor where id = ? and next_at <= now()", [id]);
      await until(async () => (await isDue()).length === 1);
      await startDue(context.monitors);
      await until(async () => (await context.get(admin, id)).status === "ok");
    });

    for (const [which, route] of [
      ["the last check", "/approved"],
      ["an earlier one", "/approved-late"],
    ] as const)
      it(`begins anew when what ${which} found is approved while it looks`, async () => {
        const admin = context.team();
        const { id } = await context.create(admin, { routes: [route] });
        const page = `https://example.com${route}@1280`;
        await context.check(admin, id);
        show(page, "new look");
        const found = await context.check(admin, id);
        if (which !== "the last check") assert.equal((await context.check(admin, id)).outcome, "changed");
        const told = (await checksOf(admin, id)).length;
        await until(() => context.alerts.of(id).length === told);
        const approve = async () => {
          await context.ask("runs.approve", { runId: found.runId }, admin);
          return "new look, a moment later";
        };
        show(page, "new look, a moment later", approve, "new look");
        const check = await context.check(admin, id);
        assert.deepEqual([check.outcome, check.attempts], ["ok", 3]);
        assert.equal((await context.ask("runs.get", { id: check.runId }, admin)).conclusion, "passed");
        await until(() => context.alerts.of(id).length > told && context.alerts.of(id).at(-1) === "ok");
        assert.ok(
          !context.alerts
            .of(id)
            .slice(told)
            .some(report => report !== "ok"),
        );
        assert.equal((await context.get(admin, id)).status, "ok");
      });

    it("begins anew when its own first look is approved while it looks again", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/quick"] });
      await context.check(admin, id);
      const approve = async () => {
        const [under] = await checksOf(admin, id);
        await context.ask("runs.approve", { runId: under?.id.replace("chk_", "run_") ?? "" }, admin);
        return "new look, a moment later";
      };
      show("https://example.com/quick@1280", "new look", approve, "new look");
      const check = await context.check(admin, id);
      assert.deepEqual([check.outcome, check.attempts], ["ok", 3]);
      await until(() => context.alerts.of(id).length === 2);
      assert.deepEqual(context.alerts.of(id), ["ok", "ok"]);
    });

    /** A monitor that takes three looks to find what is wrong, with the runs of these. */
    const lookedThrice = async (name: string) => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: [`/${name}-stays`, `/${name}-wavers`] });
      await context.check(admin, id);
      show(`https://example.com/${name}-stays@1280`, "new look");
      show(
        `https://example.com/${name}-wavers@1280`,
        { blame: "page", reason: "It answered 500." },
        "new look",
      );
      const check = await context.check(admin, id);
      assert.deepEqual([check.outcome, check.attempts], ["changed", 3]);
      await until(() => context.alerts.of(id).length === 2);
      const first = check.id.replace("chk_", "run_");
      const runs = (await runsOf(admin)).map(run => run.id).slice(0, 3);
      const middle = runs.find(run => run !== first && run !== check.runId) ?? "";
      // A new monitor's first turn is within a minute.
      await makeDue(id, "-50 minutes");
      return { admin, id, check, middle };
    };
    const isDue = async (id: string) =>
      (await context.sql("select from monitors.monitor where id = ? and next_at <= now()", [id])).length ===
      1;

    it("looks again at once when the second of three looks is approved", async () => {
      const { admin, id, middle } = await lookedThrice("middle");
      await context.ask("runs.approve", { runId: middle }, admin);
      await until(() => isDue(id));
    });

    it("looks again at once when nobody can be told that all is approved", async () => {
      const { admin, id, check } = await lookedThrice("untold");
      context.alerts.isAway = true;
      const { refused } = context.alerts;
      try {
        await context.ask("runs.approve", { runId: check.runId }, admin);
        await until(() => isDue(id));
        assert.ok(context.alerts.refused > refused);
        assert.equal((await context.get(admin, id)).status, "changed");
      } finally {
        context.alerts.isAway = false;
      }
      await startDue(context.monitors);
      await until(async () => (await context.get(admin, id)).status === "ok");
      await until(() => context.alerts.of(id).length === 3);
      assert.equal(context.alerts.of(id).at(-1), "ok");
    });

    it("takes a look that the second one does not confirm for nothing", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/flake"] });
      await context.check(admin, id);
      show("https://example.com/flake@1280", "half loaded", "as ever");
      const check = await context.check(admin, id);
      assert.deepEqual([check.outcome, check.attempts], ["ok", 2]);
      await toldAll(id);
      assert.deepEqual(context.alerts.of(id), ["ok", "ok"]);
    });

    it("tells a site that does not answer from one that looks different, after it tried again", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/d", "/e"] });
      await context.check(admin, id);
      const down = { blame: "page", reason: "https://example.com/d answered 500." } as const;
      show("https://example.com/d@1280", down);
      show("https://example.com/e@1280", "different too");
      const check = await context.check(admin, id);
      assert.deepEqual([check.outcome, check.attempts, check.error], ["down", 2, down.reason]);
      const view = await context.get(admin, id);
      assert.deepEqual([view.status, view.uptime], ["down", 0.5]);
      show("https://example.com/d@1280", down, "as ever");
      show("https://example.com/e@1280", "as ever");
      assert.equal((await context.check(admin, id)).outcome, "ok", "it answered the second time");
      await until(() => context.alerts.of(id).length === 3);
      assert.deepEqual(context.alerts.of(id), ["ok", "down /d changed /e@1280", "ok"]);
      for (const page of ["d", "e"]) show(`https://example.com/${page}@1280`, down, down);
      await context.check(admin, id);
      await until(() => context.alerts.of(id).length === 4);
      assert.equal(context.alerts.of(id).at(-1), "all down /d /e");
    });

    it("says nothing of a site that the service itself could not look at", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/lost"] });
      await context.check(admin, id);
      show("https://example.com/lost@1280", { blame: "service", reason: "The browser went away." });
      const check = await context.check(admin, id);
      assert.deepEqual([check.outcome, check.error], ["failed", "The browser went away."]);
      const view = await context.get(admin, id);
      assert.deepEqual([view.status, view.uptime], ["ok", 1]);
      await toldAll(id);
      assert.deepEqual(context.alerts.of(id), ["ok"]);
    });

    it("says which pages it could not look at, beside those that look different", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/unseen", "/seen", "/fine"] });
      await context.check(admin, id);
      show("https://example.com/unseen@1280", { blame: "service", reason: "The browser went away." });
      show("https://example.com/seen@1280", "different");
      const { outcome, runId } = await context.check(admin, id);
      assert.equal(outcome, "changed");
      await until(() => context.alerts.of(id).length === 2);
      assert.deepEqual(
        context.alerts.reports.filter(({ monitor }) => monitor.id === id).map(({ uncaptured }) => uncaptured),
        [[], [1280, WHOLE_PAGE].map(viewport => ({ route: "/unseen", viewport }))],
      );
      await makeDue(id, "-50 minutes");
      await context.ask("runs.approve", { runId }, admin);
      await until(() => isDue(id));
      assert.equal((await context.get(admin, id)).status, "changed", "what was not seen may be wrong still");
      assert.equal(context.alerts.of(id).length, 2);
    });

    it("takes new pages and widths as they are, and begins anew with another address", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/n"] });
      await context.check(admin, id);
      await change(admin, id, { routes: ["/n", "/more"], viewports: [1280, 375] });
      const wider = await context.check(admin, id);
      assert.equal(wider.outcome, "established");
      assert.deepEqual(wider.drift.filter(({ state }) => state === "ok").length, 1);
      assert.equal((await context.check(admin, id)).outcome, "ok");
      show("https://other.example/n@1280", "another site");
      assert.equal((await change(admin, id, { url: "https://other.example" })).status, "never");
      const elsewhere = await context.check(admin, id);
      assert.equal(elsewhere.outcome, "established");
      assert.deepEqual(
        elsewhere.drift.map(({ state }) => state),
        ["new", "new", "new", "new"],
      );
      await toldAll(id);
      assert.ok(context.alerts.of(id).every(report => report === "ok"));
    });

    it("looks as its options say, again too, and keeps them no longer than it takes", async () => {
      const admin = context.team();
      const shared = { hide: [".chat"], headers: { authorization: SECRET }, colorThreshold: 0.3 };
      const options = { ...shared, perRoute: { "/p": { masks: [".clock"], colorThreshold: 0.2 } } };
      const { id } = await context.create(admin, { routes: ["/o", "/p"], viewports: [375, 1280], options });
      context.rendered.length = 0;
      context.captureOptions.length = 0;
      await context.check(admin, id);
      show("https://example.com/p@1280", "another");
      const check = await context.check(admin, id);
      assert.deepEqual([check.outcome, check.attempts], ["changed", 2]);
      assert.equal(context.rendered.length, 4 + 4 + 1);
      const { hide, headers } = shared;
      for (const [at, page] of context.rendered.entries())
        assert.deepEqual(
          context.captureOptions[at],
          page.startsWith("/p") ? { hide, headers, masks: [".clock"] } : { hide, headers },
        );
      const judged = await context.sql<object>(
        `select distinct s.route, s.threshold, s.color_threshold as colour from runs.screenshot s
         join runs.run r on r.id = s.run_id where r.project = ? order by route`,
        [`monitor/${id}`],
      );
      assert.deepEqual(judged, [
        { route: "/o", threshold: 0.02, colour: 0.3 },
        { route: "/p", threshold: 0.02, colour: 0.2 },
      ]);
      const kept = await context.sql<object>(
        `select target -> 'options' as options from monitors.check where monitor_id = ?
         union select options from runs.run where project = ? and options <> '{}'`,
        [id, `monitor/${id}`],
      );
      assert.deepEqual(kept, [{ options: null }], "headers may be secrets");
    });

    it("keeps its baselines with other options: what looks different then is not approved by itself", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/q"] });
      await context.check(admin, id);
      assert.equal((await change(admin, id, { options: { masks: [".clock"] } })).status, "ok");
      show("https://example.com/q@1280", "painted over");
      const check = await context.check(admin, id);
      assert.equal(check.outcome, "changed");
      await context.ask("runs.approve", { runId: check.runId }, admin);
      await until(async () => (await context.get(admin, id)).status === "ok");
      assert.equal((await context.check(admin, id)).outcome, "ok");
    });

    it("says nothing of an address that the monitor got while it was under way", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/moved"] });
      const release = context.hold();
      try {
        const { id: checkId } = await context.ask("monitors.run", { id, checkId: newId("chk") }, admin);
        await change(admin, id, { url: "https://other.example" });
        await change(admin, id, { url: "https://example.com" });
        release();
        assert.equal((await context.ended(admin, id, checkId)).outcome, "established");
        const rows = () =>
          context.sql("select from monitors.check where id = ? and reported_at is null", [checkId]);
        await until(async () => (await rows()).length === 0);
        assert.deepEqual([(await context.get(admin, id)).status, context.alerts.of(id)], ["never", []]);
      } finally {
        release();
      }
    });

    it("begins none beside one that is under way, and says when it is the first", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/busy"] });
      const release = context.hold();
      try {
        const first = await context.ask("monitors.run", { id, checkId: newId("chk") }, admin);
        const view = await context.get(admin, id);
        assert.deepEqual([view.status, view.currentCheck?.id], ["establishing", first.id]);
        await assert.rejects(context.ask("monitors.run", { id, checkId: newId("chk") }, admin), {
          type: "conflict",
          message: new RegExp(first.id),
        });
        await makeDue(id);
        await startDue(context.monitors);
        assert.equal((await checksOf(admin, id)).length, 1);
        release();
        await context.ended(admin, id, first.id);
        const { nextRunAt } = await context.get(admin, id);
        assert.ok(Date.parse(nextRunAt ?? "") > Date.now(), "the turn that it missed is skipped");
      } finally {
        release();
      }
    });

    it("says that a plan has no runs left, by hand at once and nowhere else, on the schedule in the history", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      context.overLimit.add(admin.teamId);
      await assert.rejects(context.ask("monitors.run", { id, checkId: newId("chk") }, admin), LIMIT);
      const { currentCheck, lastCheck } = await context.get(admin, id);
      assert.deepEqual([await checksOf(admin, id), currentCheck, lastCheck], [[], null, null]);
      await makeDue(id);
      await startDue(context.monitors);
      await until(async () => (await checksOf(admin, id)).some(check => check.endedAt));
      assert.deepEqual(
        (await checksOf(admin, id)).map(check => [check.kind, check.outcome, check.error]),
        [["scheduled", "failed", "No runs are left."]],
      );
      await toldAll(id);
      assert.deepEqual(context.alerts.of(id), []);
    });

    /** Cancels the run that a check waits for, and has the check seen to. */
    const cancelRunOf = async (admin: Caller, id: string) => {
      const [check] = await context.sql<{ run: string }>(
        "select latest_run_id as run from monitors.check where monitor_id = ? and ended_at is null",
        [id],
      );
      await context.ask("runs.cancel", { id: check?.run ?? "" }, admin);
      await age(id, "1 minute");
      await recoverChecks(context.monitors);
    };

    it("submits a canceled run once more, and ends when that is canceled too", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/stop"] });
      const release = context.hold();
      try {
        const { id: checkId } = await context.ask("monitors.run", { id, checkId: newId("chk") }, admin);
        await cancelRunOf(admin, id);
        assert.equal((await checksOf(admin, id))[0]?.endedAt, null, "it waits for the retry");
        await cancelRunOf(admin, id);
        assert.match(
          (await context.ended(admin, id, checkId)).error ?? "",
          /was canceled\. It was already a retry/,
        );
      } finally {
        release();
      }
    });

    it("ends as it would have without the canceled run, which counts for nothing", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/once"] });
      const release = context.hold();
      try {
        const { id: checkId } = await context.ask("monitors.run", { id, checkId: newId("chk") }, admin);
        await cancelRunOf(admin, id);
        release();
        const ended = await context.ended(admin, id, checkId);
        assert.deepEqual([ended.outcome, ended.error, ended.attempts], ["established", null, 2]);
      } finally {
        release();
      }
    });

    it("retries a canceled confirmation as a confirmation of the same pages", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/same", "/moved"] });
      await context.check(admin, id);
      show("https://example.com/moved@1280", "moved");
      context.monitors.confirmAfterMs = 60_000;
      const { id: checkId } = await context.ask("monitors.run", { id, checkId: newId("chk") }, admin);
      await until(async () => (await checksOf(admin, id))[0]?.attempts === 2);
      const release = context.hold();
      try {
        context.monitors.confirmAfterMs = 0;
        await until(async () => (await runsOf(admin)).length === 3);
        const before = context.rendered.length;
        await cancelRunOf(admin, id);
        release();
        assert.equal((await context.ended(admin, id, checkId)).outcome, "changed");
        assert.ok(context.rendered.slice(before).every(page => page === "/moved@1280"));
      } finally {
        context.monitors.confirmAfterMs = 0;
        release();
      }
    });

    it("retries no run of a monitor that was deleted", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/over"] });
      const release = context.hold();
      try {
        await context.ask("monitors.run", { id, checkId: newId("chk") }, admin);
        await context.sql("update monitors.monitor set deleted_at = now(), next_at = null where id = ?", [
          id,
        ]);
        await cancelRunOf(admin, id);
        const checks = await context.sql("select outcome from monitors.check where monitor_id = ?", [id]);
        assert.deepEqual(checks, [{ outcome: "failed" }]);
        assert.equal((await runsOf(admin)).length, 1);
      } finally {
        release();
      }
    });

    it("confirms what changed a while later, in fresh contexts, and counts as one run", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/moves"] });
      await context.check(admin, id);
      show("https://example.com/moves@1280", "moved");
      const [rendered, counted] = [context.freshContexts.length, context.counted.length];
      context.monitors.confirmAfterMs = 1_500;
      try {
        const begun = performance.now();
        const check = await context.check(admin, id);
        const tookMs = performance.now() - begun;
        assert.deepEqual([check.outcome, check.attempts], ["changed", 2]);
        assert.ok(tookMs > 1_500, `it was confirmed within ${tookMs} ms`);
        assert.deepEqual(context.freshContexts.slice(rendered), [false, true]);
        const first = (await runsOf(admin)).map(run => run.id)[1];
        assert.deepEqual(context.counted.slice(counted), [first]);
      } finally {
        context.monitors.confirmAfterMs = 0;
      }
    });
  });

  describe("on their schedule", () => {
    it("start when they are due, once, however many turns were missed; the next one is where it always is", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { intervalMinutes: 7 });
      await makeDue(id, "3 days");
      await Promise.all([startDue(context.monitors), startDue(context.monitors), startDue(context.monitors)]);
      await until(async () => (await context.get(admin, id)).lastCheck !== null);
      await startDue(context.monitors);
      assert.equal((await checksOf(admin, id)).length, 1);
      const [row] = await context.sql<{ turn: number; ahead: number; phase: number }>(
        `select extract(epoch from next_at)::float8 / 420 as turn, phase,
           extract(epoch from next_at - now())::float8 as ahead from monitors.monitor where id = ?`,
        [id],
      );
      assert.ok(row && row.ahead > 0 && row.ahead <= 420, `${row?.ahead}`);
      assert.ok(Math.abs((row.turn % 1) - row.phase) < 0.001, `${row.turn} ${row.phase}`);
    });

    it("come back when the clock was set back, and rest while they are paused", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      await context.sql("update monitors.monitor set next_at = now() + interval '5 hours' where id = ?", [
        id,
      ]);
      await cleanUpTeams(context.monitors);
      const { nextRunAt } = await context.get(admin, id);
      assert.ok(Date.parse(nextRunAt ?? "") < Date.now() + 3_610_000);
      const paused = await change(admin, id, { paused: true });
      assert.deepEqual([paused.scheduled, paused.nextRunAt], [false, null]);
      assert.match(paused.notScheduledBecause ?? "", /paused/);
      await startDue(context.monitors);
      assert.deepEqual(await checksOf(admin, id), []);
      assert.ok((await change(admin, id, { paused: false })).nextRunAt);
    });

    it("are only run by hand on a plan without a schedule, and alert nobody there", async () => {
      const admin = context.team("free");
      const { id, scheduled, nextRunAt, notScheduledBecause } = await context.create(admin);
      assert.deepEqual([scheduled, nextRunAt], [false, null]);
      assert.match(notScheduledBecause ?? "", /free plan has no scheduled checks/);
      assert.equal((await context.check(admin, id)).outcome, "established");
      await toldAll(id);
      assert.deepEqual(context.alerts.of(id), []);
    });

    it("stop with a smaller plan, which says so, and go on with a larger one", async () => {
      const admin = context.team();
      const ids: string[] = [];
      for (let index = 0; index < 12; index += 1)
        ids.push((await context.create(admin, { alerts: { slack: SLACK } })).id);
      context.plans.set(admin.teamId, PLANS.pro);
      await emit(context.broker, "plan.changed", { teamId: admin.teamId, plan: "pro", was: "business" });
      const scheduledRows = () =>
        context.sql("select from monitors.monitor where team_id = ? and next_at is not null", [admin.teamId]);
      await until(async () => (await scheduledRows()).length === 0);
      const because = async (id = "") => (await context.get(admin, id)).notScheduledBecause ?? "";
      assert.match(await because(ids[9]), /pro plan has no scheduled checks/);
      assert.match(await because(ids[10]), /allows 10 monitors/);
      const over = ids[11] ?? "";
      await assert.rejects(change(admin, over, { name: "No" }), LIMIT);
      const refused = { ...LIMIT, data: { limit: 10, used: 12 } };
      await assert.rejects(context.ask("monitors.run", { id: over, checkId: newId("chk") }, admin), refused);
      // What the plan has no room for, others may still be told of.
      await context.ask("monitors.snooze", { id: over, hours: 1 }, admin);
      await context.ask("monitors.unsnooze", { id: over }, admin);
      assert.ok(await context.ask("monitors.testAlert", { id: over }, admin));
      await context.ask("monitors.delete", { id: ids[0] ?? "" }, admin);
      assert.match(await because(ids[10]), /has no scheduled checks/, "there is room now");
      // The message of the change got lost: whoever reads finds out.
      context.plans.set(admin.teamId, PLANS.business);
      assert.equal((await context.get(admin, over)).scheduled, true);
      assert.equal((await scheduledRows()).length, 11);
    });

    it("rest while their team is deleted", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      const isScheduled = async () =>
        (await context.sql("select from monitors.monitor where id = ? and next_at is not null", [id]))
          .length === 1;
      context.closed.add(admin.teamId);
      await broadcast(context.broker, "access.changed", { ids: [admin.teamId] });
      await until(async () => !(await isScheduled()));
      context.closed.delete(admin.teamId);
      await broadcast(context.broker, "access.changed", { ids: [admin.teamId] });
      await until(isScheduled);
    });

    it("stop with a smaller plan also where nobody hears of it", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      context.plans.set(admin.teamId, PLANS.free);
      await context.sql(
        "update monitors.team set plan_read_at = now() - interval '11 minutes' where id = ?",
        [admin.teamId],
      );
      await cleanUpTeams(context.monitors);
      const rows = await context.sql<{ next_at: Date | null }>(
        "select next_at from monitors.monitor where id = ?",
        [id],
      );
      assert.equal(rows[0]?.next_at, null);
    });

    it("forgets checks when the plan keeps them no longer, and counts them no more", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/old"] });
      show("https://example.com/old@1280", { blame: "page", reason: "It answered 500." });
      assert.equal((await context.check(admin, id)).outcome, "down");
      await age(id, "91 days");
      show("https://example.com/old@1280", "as ever");
      const kept = await context.check(admin, id);
      assert.equal((await context.get(admin, id)).uptime, 0.5);
      await context.sql("update monitors.team set pruned_at = now() - interval '2 hours' where id = ?", [
        admin.teamId,
      ]);
      await pruneChecks(context.monitors);
      assert.deepEqual(
        (await checksOf(admin, id)).map(check => check.id),
        [kept.id],
      );
      assert.equal((await context.get(admin, id)).uptime, 1);
    });
  });

  describe("when something went away in between", () => {
    it("submits what was begun and not submitted, once", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      await makeDue(id, "10 years");
      // As a node does that goes away then.
      const [check] = await startDueChecks(context.monitors.em(), [newId("chk")]);
      assert.equal(check?.monitorId, id);
      await recoverChecks(context.monitors);
      assert.deepEqual(await runsOf(admin), [], "it may be about to be submitted");
      await age(id, "1 minute");
      await Promise.all([recoverChecks(context.monitors), recoverChecks(context.monitors)]);
      assert.equal((await context.ended(admin, id, check?.id ?? "")).outcome, "established");
      assert.deepEqual(
        (await runsOf(admin)).map(run => run.id),
        [check?.runId],
      );
    });

    it("reports what can be told, although something else cannot", async () => {
      const admin = context.team();
      const ids = [(await context.create(admin)).id, (await context.create(admin)).id];
      const [failingMonitor = "", fine = ""] = ids;
      context.alerts.isAway = true;
      for (const id of ids) await context.check(admin, id);
      await until(() => context.alerts.refused >= ids.length);
      for (const id of ids) await age(id, "1 minute");
      Object.assign(context.alerts, { isAway: false, failingMonitor });
      await recoverReports(context.monitors);
      assert.deepEqual([context.alerts.of(failingMonitor), context.alerts.of(fine)], [[], ["ok"]]);
      Object.assign(context.alerts, { failingMonitor: null, refused: 0 });
    });

    it("sees to checks under way, although what ended cannot be reported", async () => {
      const admin = context.team();
      context.alerts.isAway = true;
      const { refused } = context.alerts;
      for (let told = 0; told < 2; told += 1) {
        const { id } = await context.create(admin);
        await context.check(admin, id);
        await until(() => context.alerts.refused > refused + told);
        await age(id, "1 minute");
      }
      const { id } = await context.create(admin);
      await makeDue(id, "10 years");
      const [check] = await startDueChecks(context.monitors.em(), [newId("chk")]);
      assert.equal(check?.monitorId, id);
      await age(id, "1 minute");
      await recoverChecks(context.monitors);
      await assert.rejects(recoverReports(context.monitors), /No alerts today/);
      assert.equal((await context.ended(admin, id, check?.id ?? "")).outcome, "established");
      Object.assign(context.alerts, { isAway: false });
    });

    it("reports what ended and was not heard of, once it is", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      context.alerts.isAway = true;
      const { outcome, id: checkId } = await context.check(admin, id);
      assert.equal(outcome, "established");
      await until(() => context.alerts.refused > 0);
      await age(id, "1 minute");
      context.alerts.isAway = false;
      await recoverReports(context.monitors);
      await recoverReports(context.monitors);
      assert.deepEqual(
        context.alerts.reports.filter(report => report.monitor.id === id).map(report => report.checkId),
        [checkId],
      );
    });

    /** Of a monitor that was changed while nobody heard of it, and is as ever at its third check. */
    const missed = async (route: string, meanwhile: (id: string) => Promise<unknown>) => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: [route] });
      await context.check(admin, id);
      await until(() => context.alerts.of(id).length === 1);
      context.alerts.isAway = true;
      show(`https://example.com${route}@1280`, "different");
      const { refused } = context.alerts;
      await context.check(admin, id);
      await until(() => context.alerts.refused > refused);
      context.alerts.isAway = false;
      show(`https://example.com${route}@1280`, "as ever");
      await meanwhile(id);
      await context.check(admin, id);
      await until(() => context.alerts.of(id).at(-1) === "ok" && context.alerts.of(id).length > 1);
      await age(id, "1 minute");
      await recoverReports(context.monitors);
      return context.alerts.of(id);
    };

    it("reports what was not heard of before what a later check found", async () => {
      assert.deepEqual(await missed("/late", async () => {}), ["ok", "changed /late@1280", "ok"]);
    });

    it("reports no more what was not heard of for an hour, after a later check", async () => {
      assert.deepEqual(await missed("/later", id => age(id, "61 minutes")), ["ok", "ok"]);
    });

    it("reports what it found last, however late, where later checks say nothing of the site", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/last"] });
      await context.check(admin, id);
      await until(() => context.alerts.of(id).length === 1);
      context.alerts.isAway = true;
      show("https://example.com/last@1280", "different");
      const { refused } = context.alerts;
      await context.check(admin, id);
      await until(() => context.alerts.refused > refused);
      await age(id, "61 minutes");
      show("https://example.com/last@1280", { blame: "service", reason: "No browser." });
      const refusedBefore = context.alerts.refused;
      assert.equal((await context.check(admin, id)).outcome, "failed");
      // Its end has the last one reported, too, which else is on its way when the sweep reports it.
      await until(() => context.alerts.refused > refusedBefore);
      context.alerts.isAway = false;
      await age(id, "1 minute");
      await recoverReports(context.monitors);
      assert.deepEqual(context.alerts.of(id), ["ok", "changed /last@1280"]);
    });

    it("moves on a check whose run's end nobody told, and retries once a run that is gone, and ends a check that never does", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/quiet"] });
      const { id: checkId, runId } = await context.check(admin, id);
      // As if the event had got lost.
      const reopen = () =>
        context.sql("update monitors.check set ended_at = null, outcome = null where id = ?", [checkId]);
      const approvals = () =>
        context.noted.filter(({ type, target }) => type === "run.approved" && target === runId);
      await until(() => approvals().length === 1);
      await reopen();
      await age(id, "1 minute");
      await recoverChecks(context.monitors);
      assert.equal((await context.ended(admin, id, checkId)).outcome, "established");
      assert.equal(approvals().length, 1, "nothing was said that had not been said");
      const lose = async () => {
        await reopen();
        await context.sql("update monitors.check set latest_run_id = 'run_gone' where id = ?", [checkId]);
        await age(id, "1 minute");
        await recoverChecks(context.monitors);
        return context.ended(admin, id, checkId);
      };
      assert.equal((await lose()).outcome, "ok");
      assert.match((await lose()).error ?? "", /deleted/);
      await reopen();
      await age(id, "2 hours");
      await recoverChecks(context.monitors);
      assert.match((await context.ended(admin, id, checkId)).error ?? "", /60 minutes/);
      assert.ok(runId);
    });
  });
};

for (const database of DATABASES) describe(`Monitors on ${database.name}`, monitorsOn(database));
