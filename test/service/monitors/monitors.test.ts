import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import { PLANS } from "../../../services/billing/plans.ts";
import { claimDue } from "../../../services/monitors/checks/check.store.ts";
import { noteApproval } from "../../../services/monitors/checks/report-check.ts";
import { startDue } from "../../../services/monitors/checks/start-due.ts";
import {
  pruneChecks,
  sweepChecks,
  sweepReports,
  tidyTeams,
} from "../../../services/monitors/recovery-sweep.ts";
import { forgetTeam, purgeMonitors } from "../../../services/monitors/settings/delete-monitor.ts";
import { findMonitor } from "../../../services/monitors/settings/monitor.store.ts";
import { WHOLE_PAGE } from "../../../shared/alerts/fingerprint.rule.ts";
import { broadcast, emit } from "../../../shared/contracts/bus.ts";
import { type ChangeMonitor, createMonitorBody } from "../../../shared/contracts/monitors/monitors.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { ERRORS } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import { MonitorRig } from "../../support/contexts/monitor-context.ts";
import { until } from "../../support/drivers/until.ts";
import { DATABASES, type DatabaseKind, type TestDatabase } from "../../support/servers/databases.ts";

const LIMIT = { type: "plan_limit_exceeded", code: 402 };
const SECRET = "a-secret-of-the-receiver";
const SLACK = "https://hooks.example.com/services/T000/B000/wxyz";
const KEY = "0123456789abcdef0123456789abcdef";

const monitorsOn = (database: DatabaseKind) => () => {
  database.needed();
  let made: TestDatabase;
  let rig: MonitorRig;

  before(async () => {
    made = await database.make();
    rig = await MonitorRig.start(made);
  });
  after(async () => {
    await rig?.stop();
    await made?.remove();
  });

  const change = (caller: Caller, id: string, body: ChangeMonitor) =>
    rig.ask("monitors.change", { id, body }, caller);
  const makeDue = (id: string, interval = "1 second") =>
    rig.sql(`update monitors.monitor set next_at = now() - interval '${interval}' where id = ?`, [id]);
  const age = (id: string, interval: string) =>
    rig.sql(
      `update monitors.check set touched_at = touched_at - interval '${interval}',
         started_at = started_at - interval '${interval}', ended_at = ended_at - interval '${interval}'
       where monitor_id = ?`,
      [id],
    );
  const checksOf = async (caller: Caller, id: string) =>
    (await rig.ask("monitors.history", { id, query: { limit: 100 } }, caller)).data;
  /** Waits until nobody is still to be told of what its checks found. */
  const toldAll = (id: string) =>
    until(async () => {
      const untold = "select from monitors.check where monitor_id = ? and reported_at is null";
      return (await rig.sql(untold, [id])).length === 0;
    });
  const runsOf = async (caller: Caller) =>
    (await rig.ask("runs.list", { query: { limit: 100 } }, caller)).data;
  const show = (url: string, ...shown: Parameters<typeof rig.shows.set>[1]) => rig.shows.set(url, shown);

  describe("as things that are kept", () => {
    it("refuses channels of who is no admin, and takes the rest", async () => {
      const reviewer = rig.team("business", "reviewer");
      await assert.rejects(rig.create(reviewer, { alerts: { email: ["a@example.com"] } }), {
        type: "forbidden",
        message: /Only team admins/,
      });
      const { id } = await rig.create(reviewer);
      await assert.rejects(change(reviewer, id, { alerts: { slack: null } }), { type: "forbidden" });
      assert.equal((await change(reviewer, id, { name: "Other" })).name, "Other");
    });

    it("refuses addresses that may not be rendered or written to, by their field", async () => {
      const admin = rig.team();
      const refused = (body: Parameters<typeof rig.create>[1], path: string) =>
        assert.rejects(rig.create(admin, body), (error: { data?: { errors?: { path: string }[] } }) => {
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
      const allowed = await rig.create(admin, { alerts: { slack: "http://localhost:4000/hook" } });
      assert.equal(allowed.alerts.slack?.tail, "hook");
      const { id } = await rig.create(admin);
      await assert.rejects(change(admin, id, { alerts: { webhook: { url: "https://example.com" } } }), {
        type: "invalid_request",
        message: /"alerts\.webhook\.secret" is required/,
      });
      const many = Array.from({ length: 60 }, (_, index) => `/${index}`);
      await change(admin, id, { routes: many });
      await assert.rejects(change(admin, id, { viewports: [375, 1280] }), { message: /120 screenshots/ });
    });

    it("has the defaults, and shows of secrets the tail", async () => {
      const admin = rig.team();
      const { id, createdAt, nextRunAt, ...view } = await rig.create(admin, {
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
      const list = await rig.ask("monitors.list", { query: { limit: 1 } }, admin);
      for (const text of [JSON.stringify(list), JSON.stringify(await rig.get(admin, id))])
        for (const hidden of [SECRET, "T000", KEY.slice(0, 8)]) assert.ok(!text.includes(hidden), hidden);
    });

    it("leaves what a change does not name, and takes away what it names as null", async () => {
      const admin = rig.team();
      const webhook = { url: "https://receiver.example/in", secret: SECRET };
      const { id } = await rig.create(admin, { alerts: { slack: SLACK, email: ["a@example.com"], webhook } });
      const after = await change(admin, id, {
        alerts: { slack: null, webhook: { url: "https://other.example/to" } },
      });
      assert.deepEqual(after.alerts, {
        slack: null,
        email: ["a@example.com"],
        pagerduty: null,
        webhook: { host: "other.example", tail: "e/to" },
      });
      assert.deepEqual((await findMonitor(rig.node.em(), admin.teamId, id))?.channels, {
        email: ["a@example.com"],
        webhook: { url: "https://other.example/to", secret: SECRET },
      });
    });

    it("shows of headers the names, and leaves options that a change does not name", async () => {
      const admin = rig.team();
      const headers = { authorization: SECRET };
      const perRoute = { "/": { hide: [".ad"], headers } };
      const { id, options } = await rig.create(admin, { options: { hide: [".chat"], headers, perRoute } });
      const shown = {
        headers: ["authorization"],
        perRoute: { "/": { hide: [".ad"], headers: ["authorization"] } },
      };
      assert.deepEqual(options, { ...shown, hide: [".chat"] });
      const after = await change(admin, id, { options: { hide: [], masks: [".clock"] } });
      assert.deepEqual(after.options, { ...shown, masks: [".clock"] });
      for (const answer of [after, await rig.get(admin, id)])
        assert.ok(!JSON.stringify(answer).includes(SECRET), "no header's value is shown");
      assert.deepEqual((await findMonitor(rig.node.em(), admin.teamId, id))?.options, {
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
      const admin = rig.team();
      const url = "https://other.example";
      for (const [options, field] of [
        [{ headers: { authorization: SECRET } }, "headers"],
        [{ perRoute: { "/": { headers: { authorization: SECRET } } } }, "perRoute"],
      ] as const) {
        const { id } = await rig.create(admin, { options });
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
      const { id } = await rig.create(rig.team());
      const other = rig.team();
      const missing = { type: "not_found" };
      await assert.rejects(rig.get(other, id), missing);
      await assert.rejects(change(other, id, { name: "Mine" }), missing);
      await assert.rejects(rig.ask("monitors.run", { id, checkId: newId("chk") }, other), missing);
      await assert.rejects(rig.ask("monitors.history", { id, query: { limit: 1 } }, other), missing);
      await assert.rejects(rig.ask("monitors.snooze", { id, hours: 1 }, other), missing);
      await assert.rejects(rig.ask("monitors.testAlert", { id }, other), missing);
      await assert.rejects(rig.ask("monitors.delete", { id }, other), missing);
    });

    it("takes just as many as the plan holds when thirty are created at once, and the same message once", async () => {
      const team = rig.team("pro");
      const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => rig.create(team)));
      assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 10);
      for (const outcome of outcomes)
        if (outcome.status === "rejected")
          assert.equal(outcome.reason.type, LIMIT.type, outcome.reason.stack);
      await assert.rejects(rig.create(team), { ...LIMIT, data: { limit: 10, used: 10 } });
      assert.equal(await rig.ask("monitors.count", { teamId: team.teamId }, team), 10);
      const { data, nextCursor } = await rig.ask("monitors.list", { query: { limit: 4 } }, team);
      const rest = await rig.ask("monitors.list", { query: { limit: 100, cursor: nextCursor ?? "" } }, team);
      assert.equal(new Set([...data, ...rest.data].map(({ id }) => id)).size, 10);

      const [first] = data;
      await rig.ask("monitors.delete", { id: first?.id ?? "" }, team);
      const again = {
        id: newId("mon"),
        body: createMonitorBody.parse({ name: "Again", url: "https://example.com" }),
      };
      const both = [1, 2].map(() => rig.ask("monitors.create", again, team));
      assert.deepEqual(new Set((await Promise.all(both)).map(({ id }) => id)), new Set([again.id]));
    });

    it("hands snoozes and samples on, and says how alerts stand", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin);
      assert.deepEqual(await rig.ask("monitors.testAlert", { id }, admin), { deliveries: [] });
      await change(admin, id, { alerts: { email: ["a@example.com"], slack: SLACK } });
      const { deliveries } = await rig.ask("monitors.testAlert", { id }, admin);
      assert.deepEqual(deliveries.map(({ channel }) => channel).sort(), ["email", "slack"]);
      const again = () => rig.ask("monitors.testAlert", { id }, admin);
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
      await rig.sql(
        "update monitors.monitor set tested_at = tested_at - interval '61 seconds' where id = ?",
        [id],
      );
      const both = await Promise.allSettled([again(), again(), again()]);
      assert.equal(both.filter(({ status }) => status === "fulfilled").length, 1);
      const { snoozedUntil } = await rig.ask("monitors.snooze", { id, hours: 3 }, admin);
      assert.deepEqual(rig.alerts.snoozers, [admin.actor.id]);
      assert.equal((await rig.get(admin, id)).snoozedUntil, snoozedUntil);
    });

    it("deletes a monitor with its history, its secrets at once", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { alerts: { slack: SLACK } });
      await rig.check(admin, id);
      await change(admin, id, { url: "https://other.example" });
      await rig.check(admin, id);
      const baselines = () =>
        rig.sql(
          "select from runs.baseline b join runs.project p on p.id = b.project_id where p.team_id = ?",
          [admin.teamId],
        );
      assert.equal((await baselines()).length, 2);
      const exists = (teamId = admin.teamId) => rig.ask("monitors.exists", { id, teamId }, admin);
      assert.deepEqual([await exists(), await exists(rig.team().teamId)], [true, false]);
      await rig.ask("monitors.delete", { id }, admin);
      assert.equal(await exists(), false);
      await assert.rejects(rig.get(admin, id), { type: "not_found" });
      for (const table of ["monitor where id", "check where monitor_id"])
        await until(async () => (await rig.sql(`select from monitors.${table} = ?`, [id])).length === 0);
      assert.ok(rig.alerts.forgotten.includes(id));
      assert.deepEqual(await baselines(), []);
    });

    it("is deleted all or nothing: once billing answers again, one that it made no room for has it", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin);
      const { id: next } = await rig.create(admin);
      rig.plans.set(admin.teamId, PLANS.free);
      assert.equal((await rig.get(admin, next)).hold, "over");
      rig.billingAway = true;
      try {
        await assert.rejects(rig.ask("monitors.delete", { id }, admin), /No plans today/);
      } finally {
        rig.billingAway = false;
      }
      assert.equal((await rig.get(admin, next)).hold, "over");
      await rig.ask("monitors.delete", { id }, admin);
      assert.equal((await rig.get(admin, next)).hold, "plan");
      const noted = () => rig.noted.filter(({ type, target }) => type === "monitor.deleted" && target === id);
      await until(() => noted().length === 1);
    });

    it("ends the check that is under way with the monitor, also where its node went away", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/removed"] });
      const release = rig.hold();
      try {
        const { runId } = await rig.ask("monitors.run", { id, checkId: newId("chk") }, admin);
        // As a node does that goes away then.
        await rig.sql("update monitors.monitor set deleted_at = now(), next_at = null where id = ?", [id]);
        await purgeMonitors(rig.node);
        assert.equal((await rig.ask("runs.get", { id: runId }, admin)).status, "canceled");
        assert.deepEqual(await rig.sql("select from monitors.monitor where id = ?", [id]), []);
      } finally {
        release();
      }
    });

    it("forgets what it knew of a team without monitors", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin);
      await rig.ask("monitors.delete", { id }, admin);
      await until(
        async () => (await rig.sql("select from monitors.monitor where id = ?", [id])).length === 0,
      );
      const asked = (ago: string) =>
        rig.sql(`update monitors.team set asked_at = now() - interval '${ago}' where id = ?`, [admin.teamId]);
      const rows = () =>
        rig.sql<{ aging: boolean }>(
          "select asked_at < now() - interval '10 minutes' as aging from monitors.team where id = ?",
          [admin.teamId],
        );
      await asked("11 minutes");
      await tidyTeams(rig.node);
      assert.deepEqual(await rows(), [{ aging: true }], "nobody asks for it");
      await asked("61 minutes");
      await tidyTeams(rig.node);
      assert.deepEqual(await rows(), []);
    });

    it("has an incident closed with the key that opened it, when the key is another or the monitor deleted", async () => {
      const admin = rig.team();
      const other = KEY.replace("0", "9");
      const { id } = await rig.create(admin, { alerts: { pagerduty: KEY, slack: SLACK } });
      rig.alerts.closed.length = 0;
      await change(admin, id, { alerts: { email: ["a@example.com"] } });
      await change(admin, id, { alerts: { pagerduty: other } });
      await rig.ask("monitors.delete", { id }, admin);
      await until(() => rig.alerts.forgotten.includes(id));
      assert.deepEqual(rig.alerts.closed, [{ pagerduty: KEY }, { pagerduty: other }]);
    });

    it("forgets a team that is gone", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin);
      await rig.check(admin, id);
      await forgetTeam(rig.node, admin.teamId);
      assert.equal((await rig.get(admin, id)).id, id, "it is there, whoever says that it is gone");
      rig.gone.add(admin.teamId);
      await broadcast(rig.broker, "team.gone", { teamId: admin.teamId });
      await until(
        async () => (await rig.sql("select from monitors.monitor where id = ?", [id])).length === 0,
      );
    });
  });

  it("forgets a team whose end nobody told", async () => {
    const admin = rig.team();
    const { id } = await rig.create(admin, { alerts: { slack: SLACK } });
    rig.gone.add(admin.teamId);
    await rig.sql("update monitors.team set asked_at = now() - interval '11 minutes' where id = ?", [
      admin.teamId,
    ]);
    await tidyTeams(rig.node);
    await purgeMonitors(rig.node);
    assert.deepEqual(await rig.sql("select from monitors.monitor where id = ?", [id]), []);
    assert.ok(rig.alerts.forgotten.includes(id));
  });

  describe("checks", () => {
    it("establishes the baseline first, then compares with it", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/", "/b"], viewports: [375, 1280] });
      const first = await rig.check(admin, id);
      assert.equal(first.outcome, "established");
      assert.equal(first.attempts, 1);
      assert.deepEqual(
        first.drift.map(({ state }) => state),
        ["new", "new", "new", "new"],
      );
      const second = await rig.check(admin, id);
      assert.equal(second.outcome, "ok");
      assert.deepEqual(
        second.drift.map(({ ratio }) => ratio),
        [0, 0, 0, 0],
      );
      const view = await rig.get(admin, id);
      assert.equal(view.status, "ok");
      assert.equal(view.lastCheck?.id, second.id);
      assert.equal(view.uptime, 1);
      assert.equal(view.lastChangeAt, null);
      await until(() => rig.alerts.of(id).length === 2);
      assert.deepEqual(rig.alerts.of(id), ["ok", "ok"]);
      const [run] = await runsOf(admin);
      assert.equal(run?.project, `monitor/${id}`);
      assert.equal(run?.threshold, 0.02);
    });

    it("says which pages have minor changes, within the alert threshold, and alerts nobody of them", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/x", "/y"], alertThreshold: 0.5 });
      await rig.check(admin, id);
      show("https://example.com/y@1280", "a little new");
      const check = await rig.check(admin, id);
      assert.equal(check.outcome, "ok");
      assert.deepEqual(
        check.drift.map(({ route, ratio, state, minor }) => ({ route, ratio, state, minor })),
        [
          { route: "/x", ratio: 0, state: "ok", minor: false },
          { route: "/y", ratio: 0.25, state: "ok", minor: true },
        ],
      );
      await until(() => rig.alerts.of(id).length === 2);
      assert.deepEqual(rig.alerts.of(id), ["ok", "ok"]);
    });

    it("looks again at what changed, and there only, before it says so; approved, all is well at once", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/x", "/y"], viewports: [375, 1280] });
      await rig.check(admin, id);
      show("https://example.com/y@1280", "new look");
      rig.rendered.length = 0;
      const check = await rig.check(admin, id);
      assert.equal(check.outcome, "changed");
      assert.equal(check.attempts, 2);
      assert.deepEqual(rig.rendered.slice(4), ["/y@1280"], "the second look is at what changed alone");
      assert.deepEqual(
        check.drift.filter(({ state }) => state !== "ok"),
        [{ route: "/y", viewport: 1280, ratio: 0.25, state: "changed", minor: false }],
      );
      await until(() => rig.alerts.of(id).length === 2);
      assert.deepEqual(rig.alerts.of(id)[1], "changed /y@1280");
      const [regression] = rig.alerts.reports.flatMap(({ monitor, outcome }) =>
        monitor.id === id && outcome.kind === "changed" ? outcome.regressions : [],
      );
      assert.match(regression?.images.current ?? "", /^[0-9a-f]{64}$/);
      assert.notEqual(regression?.images.current, regression?.images.baseline);
      const before = await rig.get(admin, id);
      assert.equal(before.status, "changed");
      assert.ok(before.lastChangeAt);

      await rig.ask("runs.approve", { runId: check.runId }, admin);
      await until(async () => (await rig.get(admin, id)).status === "ok");
      await until(() => rig.alerts.of(id).length === 3);
      assert.equal(rig.alerts.of(id)[2], "ok");
      const times = rig.alerts.reports.filter(({ monitor }) => monitor.id === id).map(({ at }) => at);
      assert.deepEqual(times, times.toSorted());
      assert.equal((await rig.check(admin, id)).outcome, "ok");
    });

    it("says where a baseline was captured by renderers that draw differently", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/x", "/drawn"] });
      try {
        rig.rendering = "a".repeat(16);
        await rig.check(admin, id);
        rig.rendering = "b".repeat(16);
        assert.deepEqual((await rig.check(admin, id)).warnings, [], "nothing changed");
        show("https://example.com/drawn@1280", "new look");
        const check = await rig.check(admin, id);
        const message =
          "1 baseline was captured by another browser build or with other fonts. Differences may come from that.";
        assert.deepEqual([check.outcome, check.warnings], ["changed", [{ message, place: null }]]);
        await until(() => rig.alerts.of(id).length === 3);
        const last = rig.alerts.reports.findLast(({ monitor }) => monitor.id === id);
        assert.ok(last?.outcome.kind === "changed");
        assert.deepEqual(
          last.outcome.regressions.map(({ route, isOtherRenderer }) => [route, isOtherRenderer]),
          [["/drawn", true]],
        );
      } finally {
        rig.rendering = null;
      }
    });

    it("names the run that shows what was confirmed and nothing else", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/stays", "/flickers", "/comes"] });
      const { runId: first } = await rig.check(admin, id);
      assert.equal((await checksOf(admin, id))[0]?.runId, first);
      show("https://example.com/stays@1280", "new look");
      show("https://example.com/flickers@1280", "half loaded", "as ever");
      show("https://example.com/comes@1280", { blame: "page", reason: "It answered 500." }, "new look");
      const check = await rig.check(admin, id);
      assert.deepEqual([check.outcome, check.attempts], ["changed", 3]);
      await until(() => rig.alerts.of(id).length === 2);
      assert.deepEqual(rig.alerts.of(id)[1], "changed /stays@1280 /comes@1280");
      assert.equal(rig.alerts.reports.find(report => report.checkId === check.id)?.runId, check.runId);
      assert.ok(check.report.includes(check.runId));
      await rig.ask("runs.approve", { runId: check.runId }, admin);
      assert.equal(
        (await rig.check(admin, id)).outcome,
        "ok",
        "the flicker was not approved, and all else was",
      );
    });

    it("is well only when all that it found is approved, and the run says so itself", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/one", "/two"] });
      await rig.check(admin, id);
      show("https://example.com/one@1280", "new look");
      show("https://example.com/two@1280", { blame: "page", reason: "It answered 500." }, "new look");
      const check = await rig.check(admin, id);
      assert.equal(check.outcome, "changed");
      await until(() => rig.alerts.of(id).length === 2);
      const first = check.id.replace("chk_", "run_");
      assert.notEqual(check.runId, first);
      await noteApproval(rig.node, check.runId);
      const stands = async () => [(await rig.get(admin, id)).status, rig.alerts.of(id).length];
      assert.deepEqual(await stands(), ["changed", 2], "nobody has approved anything");
      await rig.ask("runs.approve", { runId: first }, admin);
      const isDue = () => rig.sql("select from monitors.monitor where id = ? and next_at <= now()", [id]);
      await until(async () => (await isDue()).length === 1);
      assert.deepEqual(await stands(), ["changed", 2], "there /two failed");
      await rig.ask("runs.approve", { runId: check.runId }, admin);
      await until(async () => (await rig.get(admin, id)).status === "ok");
    });

    it("does not approve what a person rejected, and says so until she takes it back", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/ugly", "/fine"] });
      const { runId } = await rig.check(admin, id);
      const { data } = await rig.ask("runs.screenshots", { runId, query: { limit: 100 } }, admin);
      const ugly = data.filter(({ route }) => route === "/ugly").map(shot => shot.id);
      await rig.ask("runs.reject", { runId, screenshots: ugly, reason: "No." }, admin);
      for (let times = 0; times < 2; times += 1) {
        const check = await rig.check(admin, id);
        assert.equal(check.outcome, "failed");
        assert.match(check.error ?? "", /rejected the first screenshot of \/ugly at 1280 px/);
      }
      await toldAll(id);
      assert.deepEqual(rig.alerts.of(id), ["ok"]);
      await rig.ask("runs.dismiss", { runId, reason: "Well.", own: false }, admin);
      assert.equal((await rig.check(admin, id)).outcome, "established");
    });

    it("looks again at once when what an earlier check found is approved", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/alerted"] });
      await rig.check(admin, id);
      show("https://example.com/alerted@1280", "new look");
      const { runId } = await rig.check(admin, id);
      assert.equal((await rig.check(admin, id)).outcome, "changed");
      await rig.ask("runs.approve", { runId }, admin);
      const isDue = () => rig.sql("select from monitors.monitor where id = ? and next_at <= now()", [id]);
      await until(async () => (await isDue()).length === 1);
      await startDue(rig.node);
      await until(async () => (await rig.get(admin, id)).status === "ok");
    });

    for (const [which, route] of [
      ["the last check", "/approved"],
      ["an earlier one", "/approved-late"],
    ] as const)
      it(`begins anew when what ${which} found is approved while it looks`, async () => {
        const admin = rig.team();
        const { id } = await rig.create(admin, { routes: [route] });
        const page = `https://example.com${route}@1280`;
        await rig.check(admin, id);
        show(page, "new look");
        const found = await rig.check(admin, id);
        if (which !== "the last check") assert.equal((await rig.check(admin, id)).outcome, "changed");
        const told = (await checksOf(admin, id)).length;
        await until(() => rig.alerts.of(id).length === told);
        const approve = async () => {
          await rig.ask("runs.approve", { runId: found.runId }, admin);
          return "new look, a moment later";
        };
        show(page, "new look, a moment later", approve, "new look");
        const check = await rig.check(admin, id);
        assert.deepEqual([check.outcome, check.attempts], ["ok", 3]);
        assert.equal((await rig.ask("runs.get", { id: check.runId }, admin)).conclusion, "passed");
        await until(() => rig.alerts.of(id).length > told && rig.alerts.of(id).at(-1) === "ok");
        assert.ok(
          !rig.alerts
            .of(id)
            .slice(told)
            .some(report => report !== "ok"),
        );
        assert.equal((await rig.get(admin, id)).status, "ok");
      });

    it("begins anew when its own first look is approved while it looks again", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/quick"] });
      await rig.check(admin, id);
      const approve = async () => {
        const [under] = await checksOf(admin, id);
        await rig.ask("runs.approve", { runId: under?.id.replace("chk_", "run_") ?? "" }, admin);
        return "new look, a moment later";
      };
      show("https://example.com/quick@1280", "new look", approve, "new look");
      const check = await rig.check(admin, id);
      assert.deepEqual([check.outcome, check.attempts], ["ok", 3]);
      await until(() => rig.alerts.of(id).length === 2);
      assert.deepEqual(rig.alerts.of(id), ["ok", "ok"]);
    });

    /** A monitor that takes three looks to find what is wrong, with the runs of these. */
    const lookedThrice = async (name: string) => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: [`/${name}-stays`, `/${name}-wavers`] });
      await rig.check(admin, id);
      show(`https://example.com/${name}-stays@1280`, "new look");
      show(
        `https://example.com/${name}-wavers@1280`,
        { blame: "page", reason: "It answered 500." },
        "new look",
      );
      const check = await rig.check(admin, id);
      assert.deepEqual([check.outcome, check.attempts], ["changed", 3]);
      await until(() => rig.alerts.of(id).length === 2);
      const first = check.id.replace("chk_", "run_");
      const runs = (await runsOf(admin)).map(run => run.id).slice(0, 3);
      const middle = runs.find(run => run !== first && run !== check.runId) ?? "";
      // A new monitor's first turn is within a minute.
      await makeDue(id, "-50 minutes");
      return { admin, id, check, middle };
    };
    const isDue = async (id: string) =>
      (await rig.sql("select from monitors.monitor where id = ? and next_at <= now()", [id])).length === 1;

    it("looks again at once when the second of three looks is approved", async () => {
      const { admin, id, middle } = await lookedThrice("middle");
      await rig.ask("runs.approve", { runId: middle }, admin);
      await until(() => isDue(id));
    });

    it("looks again at once when nobody can be told that all is approved", async () => {
      const { admin, id, check } = await lookedThrice("untold");
      rig.alerts.away = true;
      const { refused } = rig.alerts;
      try {
        await rig.ask("runs.approve", { runId: check.runId }, admin);
        await until(() => isDue(id));
        assert.ok(rig.alerts.refused > refused);
        assert.equal((await rig.get(admin, id)).status, "changed");
      } finally {
        rig.alerts.away = false;
      }
      await startDue(rig.node);
      await until(async () => (await rig.get(admin, id)).status === "ok");
      await until(() => rig.alerts.of(id).length === 3);
      assert.equal(rig.alerts.of(id).at(-1), "ok");
    });

    it("takes a look that the second one does not confirm for nothing", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/flake"] });
      await rig.check(admin, id);
      show("https://example.com/flake@1280", "half loaded", "as ever");
      const check = await rig.check(admin, id);
      assert.deepEqual([check.outcome, check.attempts], ["ok", 2]);
      await toldAll(id);
      assert.deepEqual(rig.alerts.of(id), ["ok", "ok"]);
    });

    it("tells a site that does not answer from one that looks different, after it tried again", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/d", "/e"] });
      await rig.check(admin, id);
      const down = { blame: "page", reason: "https://example.com/d answered 500." } as const;
      show("https://example.com/d@1280", down);
      show("https://example.com/e@1280", "different too");
      const check = await rig.check(admin, id);
      assert.deepEqual([check.outcome, check.attempts, check.error], ["down", 2, down.reason]);
      const view = await rig.get(admin, id);
      assert.deepEqual([view.status, view.uptime], ["down", 0.5]);
      show("https://example.com/d@1280", down, "as ever");
      show("https://example.com/e@1280", "as ever");
      assert.equal((await rig.check(admin, id)).outcome, "ok", "it answered the second time");
      await until(() => rig.alerts.of(id).length === 3);
      assert.deepEqual(rig.alerts.of(id), ["ok", "down /d changed /e@1280", "ok"]);
      for (const page of ["d", "e"]) show(`https://example.com/${page}@1280`, down, down);
      await rig.check(admin, id);
      await until(() => rig.alerts.of(id).length === 4);
      assert.equal(rig.alerts.of(id).at(-1), "all down /d /e");
    });

    it("says nothing of a site that the service itself could not look at", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/lost"] });
      await rig.check(admin, id);
      show("https://example.com/lost@1280", { blame: "service", reason: "The browser went away." });
      const check = await rig.check(admin, id);
      assert.deepEqual([check.outcome, check.error], ["failed", "The browser went away."]);
      const view = await rig.get(admin, id);
      assert.deepEqual([view.status, view.uptime], ["ok", 1]);
      await toldAll(id);
      assert.deepEqual(rig.alerts.of(id), ["ok"]);
    });

    it("says which pages it could not look at, beside those that look different", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/unseen", "/seen", "/fine"] });
      await rig.check(admin, id);
      show("https://example.com/unseen@1280", { blame: "service", reason: "The browser went away." });
      show("https://example.com/seen@1280", "different");
      const { outcome, runId } = await rig.check(admin, id);
      assert.equal(outcome, "changed");
      await until(() => rig.alerts.of(id).length === 2);
      assert.deepEqual(
        rig.alerts.reports.filter(({ monitor }) => monitor.id === id).map(({ unseen }) => unseen),
        [[], [1280, WHOLE_PAGE].map(viewport => ({ route: "/unseen", viewport }))],
      );
      await makeDue(id, "-50 minutes");
      await rig.ask("runs.approve", { runId }, admin);
      await until(() => isDue(id));
      assert.equal((await rig.get(admin, id)).status, "changed", "what was not seen may be wrong still");
      assert.equal(rig.alerts.of(id).length, 2);
    });

    it("takes new pages and widths as they are, and begins anew with another address", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/n"] });
      await rig.check(admin, id);
      await change(admin, id, { routes: ["/n", "/more"], viewports: [1280, 375] });
      const wider = await rig.check(admin, id);
      assert.equal(wider.outcome, "established");
      assert.deepEqual(wider.drift.filter(({ state }) => state === "ok").length, 1);
      assert.equal((await rig.check(admin, id)).outcome, "ok");
      show("https://other.example/n@1280", "another site");
      assert.equal((await change(admin, id, { url: "https://other.example" })).status, "never");
      const elsewhere = await rig.check(admin, id);
      assert.equal(elsewhere.outcome, "established");
      assert.deepEqual(
        elsewhere.drift.map(({ state }) => state),
        ["new", "new", "new", "new"],
      );
      await toldAll(id);
      assert.ok(rig.alerts.of(id).every(report => report === "ok"));
    });

    it("looks as its options say, again too, and keeps them no longer than it takes", async () => {
      const admin = rig.team();
      const shared = { hide: [".chat"], headers: { authorization: SECRET }, colorThreshold: 0.3 };
      const options = { ...shared, perRoute: { "/p": { masks: [".clock"], colorThreshold: 0.2 } } };
      const { id } = await rig.create(admin, { routes: ["/o", "/p"], viewports: [375, 1280], options });
      rig.rendered.length = 0;
      rig.asked.length = 0;
      await rig.check(admin, id);
      show("https://example.com/p@1280", "another");
      const check = await rig.check(admin, id);
      assert.deepEqual([check.outcome, check.attempts], ["changed", 2]);
      assert.equal(rig.rendered.length, 4 + 4 + 1);
      const { hide, headers } = shared;
      for (const [at, page] of rig.rendered.entries())
        assert.deepEqual(
          rig.asked[at],
          page.startsWith("/p") ? { hide, headers, masks: [".clock"] } : { hide, headers },
        );
      const judged = await rig.sql<object>(
        `select distinct s.route, s.threshold, s.color_threshold as colour from runs.screenshot s
         join runs.run r on r.id = s.run_id where r.project = ? order by route`,
        [`monitor/${id}`],
      );
      assert.deepEqual(judged, [
        { route: "/o", threshold: 0.02, colour: 0.3 },
        { route: "/p", threshold: 0.02, colour: 0.2 },
      ]);
      const kept = await rig.sql<object>(
        `select target -> 'options' as options from monitors.check where monitor_id = ?
         union select options from runs.run where project = ? and options <> '{}'`,
        [id, `monitor/${id}`],
      );
      assert.deepEqual(kept, [{ options: null }], "headers may be secrets");
    });

    it("keeps its baselines with other options: what looks different then is not approved by itself", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/q"] });
      await rig.check(admin, id);
      assert.equal((await change(admin, id, { options: { masks: [".clock"] } })).status, "ok");
      show("https://example.com/q@1280", "painted over");
      const check = await rig.check(admin, id);
      assert.equal(check.outcome, "changed");
      await rig.ask("runs.approve", { runId: check.runId }, admin);
      await until(async () => (await rig.get(admin, id)).status === "ok");
      assert.equal((await rig.check(admin, id)).outcome, "ok");
    });

    it("says nothing of an address that the monitor got while it was under way", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/moved"] });
      const release = rig.hold();
      try {
        const { id: checkId } = await rig.ask("monitors.run", { id, checkId: newId("chk") }, admin);
        await change(admin, id, { url: "https://other.example" });
        await change(admin, id, { url: "https://example.com" });
        release();
        assert.equal((await rig.ended(admin, id, checkId)).outcome, "established");
        const rows = () =>
          rig.sql("select from monitors.check where id = ? and reported_at is null", [checkId]);
        await until(async () => (await rows()).length === 0);
        assert.deepEqual([(await rig.get(admin, id)).status, rig.alerts.of(id)], ["never", []]);
      } finally {
        release();
      }
    });

    it("begins none beside one that is under way, and says when it is the first", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/busy"] });
      const release = rig.hold();
      try {
        const first = await rig.ask("monitors.run", { id, checkId: newId("chk") }, admin);
        const view = await rig.get(admin, id);
        assert.deepEqual([view.status, view.currentCheck?.id], ["establishing", first.id]);
        await assert.rejects(rig.ask("monitors.run", { id, checkId: newId("chk") }, admin), {
          type: "conflict",
          message: new RegExp(first.id),
        });
        await makeDue(id);
        await startDue(rig.node);
        assert.equal((await checksOf(admin, id)).length, 1);
        release();
        await rig.ended(admin, id, first.id);
        const { nextRunAt } = await rig.get(admin, id);
        assert.ok(Date.parse(nextRunAt ?? "") > Date.now(), "the turn that it missed is skipped");
      } finally {
        release();
      }
    });

    it("says that a plan has no runs left, by hand at once and nowhere else, on the schedule in the history", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin);
      rig.broke.add(admin.teamId);
      await assert.rejects(rig.ask("monitors.run", { id, checkId: newId("chk") }, admin), LIMIT);
      const { currentCheck, lastCheck } = await rig.get(admin, id);
      assert.deepEqual([await checksOf(admin, id), currentCheck, lastCheck], [[], null, null]);
      await makeDue(id);
      await startDue(rig.node);
      await until(async () => (await checksOf(admin, id)).some(check => check.endedAt));
      assert.deepEqual(
        (await checksOf(admin, id)).map(check => [check.kind, check.outcome, check.error]),
        [["scheduled", "failed", "No runs are left."]],
      );
      await toldAll(id);
      assert.deepEqual(rig.alerts.of(id), []);
    });

    /** Cancels the run that a check waits for, and has the check seen to. */
    const cancelRunOf = async (admin: Caller, id: string) => {
      const [check] = await rig.sql<{ run: string }>(
        "select latest_run_id as run from monitors.check where monitor_id = ? and ended_at is null",
        [id],
      );
      await rig.ask("runs.cancel", { id: check?.run ?? "" }, admin);
      await age(id, "1 minute");
      await sweepChecks(rig.node);
    };

    it("submits a canceled run once more, and ends when that is canceled too", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/stop"] });
      const release = rig.hold();
      try {
        const { id: checkId } = await rig.ask("monitors.run", { id, checkId: newId("chk") }, admin);
        await cancelRunOf(admin, id);
        assert.equal((await checksOf(admin, id))[0]?.endedAt, null, "it waits for the retry");
        await cancelRunOf(admin, id);
        assert.match(
          (await rig.ended(admin, id, checkId)).error ?? "",
          /was canceled\. It was already a retry/,
        );
      } finally {
        release();
      }
    });

    it("ends as it would have without the canceled run, which counts for nothing", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/once"] });
      const release = rig.hold();
      try {
        const { id: checkId } = await rig.ask("monitors.run", { id, checkId: newId("chk") }, admin);
        await cancelRunOf(admin, id);
        release();
        const ended = await rig.ended(admin, id, checkId);
        assert.deepEqual([ended.outcome, ended.error, ended.attempts], ["established", null, 2]);
      } finally {
        release();
      }
    });

    it("retries a canceled confirmation as a confirmation of the same pages", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/same", "/moved"] });
      await rig.check(admin, id);
      show("https://example.com/moved@1280", "moved");
      rig.node.confirmAfterMs = 60_000;
      const { id: checkId } = await rig.ask("monitors.run", { id, checkId: newId("chk") }, admin);
      await until(async () => (await checksOf(admin, id))[0]?.attempts === 2);
      const release = rig.hold();
      try {
        rig.node.confirmAfterMs = 0;
        await until(async () => (await runsOf(admin)).length === 3);
        const before = rig.rendered.length;
        await cancelRunOf(admin, id);
        release();
        assert.equal((await rig.ended(admin, id, checkId)).outcome, "changed");
        assert.ok(rig.rendered.slice(before).every(page => page === "/moved@1280"));
      } finally {
        rig.node.confirmAfterMs = 0;
        release();
      }
    });

    it("retries no run of a monitor that was deleted", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/over"] });
      const release = rig.hold();
      try {
        await rig.ask("monitors.run", { id, checkId: newId("chk") }, admin);
        await rig.sql("update monitors.monitor set deleted_at = now(), next_at = null where id = ?", [id]);
        await cancelRunOf(admin, id);
        const checks = await rig.sql("select outcome from monitors.check where monitor_id = ?", [id]);
        assert.deepEqual(checks, [{ outcome: "failed" }]);
        assert.equal((await runsOf(admin)).length, 1);
      } finally {
        release();
      }
    });

    it("confirms what changed a while later, in fresh contexts, and counts as one run", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/moves"] });
      await rig.check(admin, id);
      show("https://example.com/moves@1280", "moved");
      const [rendered, counted] = [rig.fresh.length, rig.counted.length];
      rig.node.confirmAfterMs = 1_500;
      try {
        const begun = performance.now();
        const check = await rig.check(admin, id);
        const tookMs = performance.now() - begun;
        assert.deepEqual([check.outcome, check.attempts], ["changed", 2]);
        assert.ok(tookMs > 1_500, `it was confirmed within ${tookMs} ms`);
        assert.deepEqual(rig.fresh.slice(rendered), [false, true]);
        const first = (await runsOf(admin)).map(run => run.id)[1];
        assert.deepEqual(rig.counted.slice(counted), [first]);
      } finally {
        rig.node.confirmAfterMs = 0;
      }
    });
  });

  describe("on their schedule", () => {
    it("start when they are due, once, however many turns were missed; the next one is where it always is", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { intervalMinutes: 7 });
      await makeDue(id, "3 days");
      await Promise.all([startDue(rig.node), startDue(rig.node), startDue(rig.node)]);
      await until(async () => (await rig.get(admin, id)).lastCheck !== null);
      await startDue(rig.node);
      assert.equal((await checksOf(admin, id)).length, 1);
      const [row] = await rig.sql<{ turn: number; ahead: number; phase: number }>(
        `select extract(epoch from next_at)::float8 / 420 as turn, phase,
           extract(epoch from next_at - now())::float8 as ahead from monitors.monitor where id = ?`,
        [id],
      );
      assert.ok(row && row.ahead > 0 && row.ahead <= 420, `${row?.ahead}`);
      assert.ok(Math.abs((row.turn % 1) - row.phase) < 0.001, `${row.turn} ${row.phase}`);
    });

    it("come back when the clock was set back, and rest while they are paused", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin);
      await rig.sql("update monitors.monitor set next_at = now() + interval '5 hours' where id = ?", [id]);
      await tidyTeams(rig.node);
      const { nextRunAt } = await rig.get(admin, id);
      assert.ok(Date.parse(nextRunAt ?? "") < Date.now() + 3_610_000);
      const paused = await change(admin, id, { paused: true });
      assert.deepEqual([paused.scheduled, paused.nextRunAt], [false, null]);
      assert.match(paused.notScheduledBecause ?? "", /paused/);
      await startDue(rig.node);
      assert.deepEqual(await checksOf(admin, id), []);
      assert.ok((await change(admin, id, { paused: false })).nextRunAt);
    });

    it("are only run by hand on a plan without a schedule, and alert nobody there", async () => {
      const admin = rig.team("free");
      const { id, scheduled, nextRunAt, notScheduledBecause } = await rig.create(admin);
      assert.deepEqual([scheduled, nextRunAt], [false, null]);
      assert.match(notScheduledBecause ?? "", /free has no scheduled checks/);
      assert.equal((await rig.check(admin, id)).outcome, "established");
      await toldAll(id);
      assert.deepEqual(rig.alerts.of(id), []);
    });

    it("stop with a smaller plan, which says so, and go on with a larger one", async () => {
      const admin = rig.team();
      const ids: string[] = [];
      for (let index = 0; index < 12; index += 1)
        ids.push((await rig.create(admin, { alerts: { slack: SLACK } })).id);
      rig.plans.set(admin.teamId, PLANS.pro);
      await emit(rig.broker, "plan.changed", { teamId: admin.teamId, plan: "pro", was: "business" });
      const scheduledRows = () =>
        rig.sql("select from monitors.monitor where team_id = ? and next_at is not null", [admin.teamId]);
      await until(async () => (await scheduledRows()).length === 0);
      const because = async (id = "") => (await rig.get(admin, id)).notScheduledBecause ?? "";
      assert.match(await because(ids[9]), /pro has no scheduled checks/);
      assert.match(await because(ids[10]), /allows 10 monitors/);
      const over = ids[11] ?? "";
      await assert.rejects(change(admin, over, { name: "No" }), LIMIT);
      const refused = { ...LIMIT, data: { limit: 10, used: 12 } };
      await assert.rejects(rig.ask("monitors.run", { id: over, checkId: newId("chk") }, admin), refused);
      // What the plan has no room for, others may still be told of.
      await rig.ask("monitors.snooze", { id: over, hours: 1 }, admin);
      await rig.ask("monitors.unsnooze", { id: over }, admin);
      assert.ok(await rig.ask("monitors.testAlert", { id: over }, admin));
      await rig.ask("monitors.delete", { id: ids[0] ?? "" }, admin);
      assert.match(await because(ids[10]), /has no scheduled checks/, "there is room now");
      // The message of the change got lost: whoever reads finds out.
      rig.plans.set(admin.teamId, PLANS.business);
      assert.equal((await rig.get(admin, over)).scheduled, true);
      assert.equal((await scheduledRows()).length, 11);
    });

    it("rest while their team is deleted", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin);
      const isScheduled = async () =>
        (await rig.sql("select from monitors.monitor where id = ? and next_at is not null", [id])).length ===
        1;
      rig.closed.add(admin.teamId);
      await broadcast(rig.broker, "access.changed", { ids: [admin.teamId] });
      await until(async () => !(await isScheduled()));
      rig.closed.delete(admin.teamId);
      await broadcast(rig.broker, "access.changed", { ids: [admin.teamId] });
      await until(isScheduled);
    });

    it("stop with a smaller plan also where nobody hears of it", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin);
      rig.plans.set(admin.teamId, PLANS.free);
      await rig.sql("update monitors.team set asked_at = now() - interval '11 minutes' where id = ?", [
        admin.teamId,
      ]);
      await tidyTeams(rig.node);
      const rows = await rig.sql<{ next_at: Date | null }>(
        "select next_at from monitors.monitor where id = ?",
        [id],
      );
      assert.equal(rows[0]?.next_at, null);
    });

    it("forgets checks when the plan keeps them no longer, and counts them no more", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/old"] });
      show("https://example.com/old@1280", { blame: "page", reason: "It answered 500." });
      assert.equal((await rig.check(admin, id)).outcome, "down");
      await age(id, "91 days");
      show("https://example.com/old@1280", "as ever");
      const kept = await rig.check(admin, id);
      assert.equal((await rig.get(admin, id)).uptime, 0.5);
      await rig.sql("update monitors.team set pruned_at = now() - interval '2 hours' where id = ?", [
        admin.teamId,
      ]);
      await pruneChecks(rig.node);
      assert.deepEqual(
        (await checksOf(admin, id)).map(check => check.id),
        [kept.id],
      );
      assert.equal((await rig.get(admin, id)).uptime, 1);
    });
  });

  describe("when something went away in between", () => {
    it("submits what was begun and not submitted, once", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin);
      await makeDue(id, "10 years");
      // As a node does that goes away then.
      const [check] = await claimDue(rig.node.em(), [newId("chk")]);
      assert.equal(check?.monitorId, id);
      await sweepChecks(rig.node);
      assert.deepEqual(await runsOf(admin), [], "it may be about to be submitted");
      await age(id, "1 minute");
      await Promise.all([sweepChecks(rig.node), sweepChecks(rig.node)]);
      assert.equal((await rig.ended(admin, id, check?.id ?? "")).outcome, "established");
      assert.deepEqual(
        (await runsOf(admin)).map(run => run.id),
        [check?.runId],
      );
    });

    it("reports what can be told, although something else cannot", async () => {
      const admin = rig.team();
      const ids = [(await rig.create(admin)).id, (await rig.create(admin)).id];
      const [poisoned = "", fine = ""] = ids;
      rig.alerts.away = true;
      for (const id of ids) await rig.check(admin, id);
      await until(() => rig.alerts.refused >= ids.length);
      for (const id of ids) await age(id, "1 minute");
      Object.assign(rig.alerts, { away: false, poisoned });
      await sweepReports(rig.node);
      assert.deepEqual([rig.alerts.of(poisoned), rig.alerts.of(fine)], [[], ["ok"]]);
      Object.assign(rig.alerts, { poisoned: null, refused: 0 });
    });

    it("sees to checks under way, although what ended cannot be reported", async () => {
      const admin = rig.team();
      rig.alerts.away = true;
      const { refused } = rig.alerts;
      for (let told = 0; told < 2; told += 1) {
        const { id } = await rig.create(admin);
        await rig.check(admin, id);
        await until(() => rig.alerts.refused > refused + told);
        await age(id, "1 minute");
      }
      const { id } = await rig.create(admin);
      await makeDue(id, "10 years");
      const [check] = await claimDue(rig.node.em(), [newId("chk")]);
      assert.equal(check?.monitorId, id);
      await age(id, "1 minute");
      await sweepChecks(rig.node);
      await assert.rejects(sweepReports(rig.node), /No alerts today/);
      assert.equal((await rig.ended(admin, id, check?.id ?? "")).outcome, "established");
      Object.assign(rig.alerts, { away: false });
    });

    it("reports what ended and was not heard of, once it is", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin);
      rig.alerts.away = true;
      const { outcome, id: checkId } = await rig.check(admin, id);
      assert.equal(outcome, "established");
      await until(() => rig.alerts.refused > 0);
      await age(id, "1 minute");
      rig.alerts.away = false;
      await sweepReports(rig.node);
      await sweepReports(rig.node);
      assert.deepEqual(
        rig.alerts.reports.filter(report => report.monitor.id === id).map(report => report.checkId),
        [checkId],
      );
    });

    /** Of a monitor that was changed while nobody heard of it, and is as ever at its third check. */
    const missed = async (route: string, meanwhile: (id: string) => Promise<unknown>) => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: [route] });
      await rig.check(admin, id);
      await until(() => rig.alerts.of(id).length === 1);
      rig.alerts.away = true;
      show(`https://example.com${route}@1280`, "different");
      const { refused } = rig.alerts;
      await rig.check(admin, id);
      await until(() => rig.alerts.refused > refused);
      rig.alerts.away = false;
      show(`https://example.com${route}@1280`, "as ever");
      await meanwhile(id);
      await rig.check(admin, id);
      await until(() => rig.alerts.of(id).at(-1) === "ok" && rig.alerts.of(id).length > 1);
      await age(id, "1 minute");
      await sweepReports(rig.node);
      return rig.alerts.of(id);
    };

    it("reports what was not heard of before what a later check found", async () => {
      assert.deepEqual(await missed("/late", async () => {}), ["ok", "changed /late@1280", "ok"]);
    });

    it("reports no more what was not heard of for an hour, after a later check", async () => {
      assert.deepEqual(await missed("/later", id => age(id, "61 minutes")), ["ok", "ok"]);
    });

    it("reports what it found last, however late, where later checks say nothing of the site", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/last"] });
      await rig.check(admin, id);
      await until(() => rig.alerts.of(id).length === 1);
      rig.alerts.away = true;
      show("https://example.com/last@1280", "different");
      const { refused } = rig.alerts;
      await rig.check(admin, id);
      await until(() => rig.alerts.refused > refused);
      await age(id, "61 minutes");
      show("https://example.com/last@1280", { blame: "service", reason: "No browser." });
      const refusedBefore = rig.alerts.refused;
      assert.equal((await rig.check(admin, id)).outcome, "failed");
      // Its end has the last one reported, too, which else is on its way when the sweep reports it.
      await until(() => rig.alerts.refused > refusedBefore);
      rig.alerts.away = false;
      await age(id, "1 minute");
      await sweepReports(rig.node);
      assert.deepEqual(rig.alerts.of(id), ["ok", "changed /last@1280"]);
    });

    it("moves on a check whose run's end nobody told, and retries once a run that is gone, and ends a check that never does", async () => {
      const admin = rig.team();
      const { id } = await rig.create(admin, { routes: ["/quiet"] });
      const { id: checkId, runId } = await rig.check(admin, id);
      // As if the event had got lost.
      const reopen = () =>
        rig.sql("update monitors.check set ended_at = null, outcome = null where id = ?", [checkId]);
      const approvals = () =>
        rig.noted.filter(({ type, target }) => type === "run.approved" && target === runId);
      await until(() => approvals().length === 1);
      await reopen();
      await age(id, "1 minute");
      await sweepChecks(rig.node);
      assert.equal((await rig.ended(admin, id, checkId)).outcome, "established");
      assert.equal(approvals().length, 1, "nothing was said that had not been said");
      const lose = async () => {
        await reopen();
        await rig.sql("update monitors.check set latest_run_id = 'run_gone' where id = ?", [checkId]);
        await age(id, "1 minute");
        await sweepChecks(rig.node);
        return rig.ended(admin, id, checkId);
      };
      assert.equal((await lose()).outcome, "ok");
      assert.match((await lose()).error ?? "", /deleted/);
      await reopen();
      await age(id, "2 hours");
      await sweepChecks(rig.node);
      assert.match((await rig.ended(admin, id, checkId)).error ?? "", /60 minutes/);
      assert.ok(runId);
    });
  });
};

for (const database of DATABASES) describe(`Monitors on ${database.name}`, monitorsOn(database));
