import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { findMonitor } from "../../../services/monitors/settings/monitor.store.ts";
import type { Step } from "../../../shared/contracts/capture/steps.ts";
import { createMonitorBody } from "../../../shared/contracts/monitors/monitors.ts";
import { ERRORS } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import type { MonitorTestContext } from "../../support/contexts/monitor-context.ts";
import { DATABASES } from "../../support/databases/databases.ts";
import { type MonitorDriver, useMonitors } from "../../support/drivers/monitor-driver.ts";

const LIMIT = { type: "plan_limit_exceeded", code: 402 };
const SECRET = "a-secret-of-the-receiver";
const REFERENCE = `\${secret.TOKEN}`;
const NO_CHECKS = { uptime: null, checks: 0, responseMs: null, slowestMs: null };
const SLACK = "https://hooks.example.com/services/T000/B000/wxyz";
const KEY = "0123456789abcdef0123456789abcdef";

for (const database of DATABASES) {
  describe(`Settings of monitors on ${database.name}`, () => {
    let context: MonitorTestContext;
    let driver: MonitorDriver;
    useMonitors(database, (started, itsDriver) => {
      [context, driver] = [started, itsDriver];
    });

    it("refuse channels from non-admins, and accept other fields", async () => {
      const reviewer = context.team("business", "reviewer");
      await assert.rejects(context.create(reviewer, { alerts: { email: ["a@example.com"] } }), {
        type: "forbidden",
        message: /Only team admins/,
      });
      const { id } = await context.create(reviewer);
      await assert.rejects(driver.change(reviewer, id, { alerts: { slack: null } }), { type: "forbidden" });
      assert.equal((await driver.change(reviewer, id, { name: "Other" })).name, "Other");
    });

    it("refuse URLs that must not be rendered or notified, by field", async () => {
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
      await assert.rejects(
        driver.change(admin, id, { alerts: { webhook: { url: "https://example.com" } } }),
        {
          type: "invalid_request",
          message: /"alerts\.webhook\.secret" is required/,
        },
      );
      const many = Array.from({ length: 60 }, (_, index) => `/${index}`);
      await driver.change(admin, id, { routes: many });
      await assert.rejects(driver.change(admin, id, { viewports: [375, 1280] }), {
        message: /120 screenshots/,
      });
    });

    it("have defaults, and show only the tail of secrets", async () => {
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
        ...{ regions: [], agree: 1 },
        options: {},
        alerts: {
          slack: { tail: "wxyz" },
          email: ["a@example.com"],
          pagerduty: { tail: "cdef" },
          incidents: null,
          webhook: { host: "receiver.example", tail: "e/in" },
        },
        paused: false,
        hold: null,
        http: null,
        httpCheck: null,
        scheduled: true,
        notScheduledBecause: null,
        status: "never",
        currentCheck: null,
        lastCheck: null,
        recentChecks: [],
        lastChangeAt: null,
        uptime: null,
        availability: { day: NO_CHECKS, week: NO_CHECKS, month: NO_CHECKS, quarter: NO_CHECKS },
        maintenance: null,
        tags: [],
        badgeUrl: null,
        certificate: null,
        snoozedUntil: null,
        alertingSince: null,
      });
      const firstInMs = Date.parse(nextRunAt ?? "") - Date.parse(createdAt);
      assert.ok(firstInMs > -1_000 && firstInMs < 61_000, `${firstInMs}`);
      const list = await context.ask("monitors.list", { query: { limit: 1 } }, admin);
      for (const text of [JSON.stringify(list), JSON.stringify(await context.get(admin, id))])
        for (const hidden of [SECRET, "T000", KEY.slice(0, 8)]) assert.ok(!text.includes(hidden), hidden);
    });

    it("keep channels that a change omits, and remove those that are null", async () => {
      const admin = context.team();
      const webhook = { url: "https://receiver.example/in", secret: SECRET };
      const { id } = await context.create(admin, {
        alerts: { slack: SLACK, email: ["a@example.com"], webhook },
      });
      const after = await driver.change(admin, id, {
        alerts: { slack: null, webhook: { url: "https://other.example/to" } },
      });
      assert.deepEqual(after.alerts, {
        slack: null,
        email: ["a@example.com"],
        pagerduty: null,
        incidents: null,
        webhook: { host: "other.example", tail: "e/to" },
      });
      assert.deepEqual((await findMonitor(context.monitors.em(), admin.teamId, id))?.channels, {
        email: ["a@example.com"],
        webhook: { url: "https://other.example/to", secret: SECRET },
      });
    });

    it("show only the names of headers, and keep options that a change omits", async () => {
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
      const after = await driver.change(admin, id, { options: { hide: [], masks: [".clock"] } });
      assert.deepEqual(after.options, { ...shown, masks: [".clock"] });
      for (const answer of [after, await context.get(admin, id)])
        assert.ok(!JSON.stringify(answer).includes(SECRET), "no header's value is shown");
      assert.deepEqual((await findMonitor(context.monitors.em(), admin.teamId, id))?.options, {
        masks: [".clock"],
        headers,
        perRoute,
      });
      await assert.rejects(driver.change(admin, id, { routes: ["/other"] }), {
        type: "invalid_request",
        message: /"options\.perRoute\.\/" is not one of the routes/,
      });
    });

    it("show no passwords, typed texts and cookies of sessions, and keep them if a change omits sessions", async () => {
      const admin = context.team();
      await context.ask("runs.putSecret", { project: "monitors", name: "TOKEN", value: SECRET }, admin);
      const steps: Step[] = [
        { action: "fill", selector: "label=Password", value: SECRET },
        { action: "fill", selector: "label=Code", value: REFERENCE },
        { action: "press", key: "Enter" },
      ];
      const inline = {
        url: "/login",
        basicAuth: { username: "ada", password: SECRET },
        cookies: [{ name: "sid", value: SECRET, path: "/shop" }],
        steps,
        clientCertificates: [{ cert: "public", key: SECRET, passphrase: SECRET }],
      };
      const referring = {
        basicAuth: { username: "ada", password: REFERENCE },
        cookies: [{ name: "sid", value: REFERENCE }],
      };
      const partly = { cookies: [{ name: "sid", value: `${SECRET} ${REFERENCE}` }] };
      const sessions = { inline, referring, partly };
      const { id, options } = await context.create(admin, { options: { session: "inline", sessions } });
      const shown = {
        inline: {
          url: "/login",
          basicAuth: { username: "ada" },
          cookies: [{ name: "sid", path: "/shop" }],
          steps: [{ action: "fill", selector: "label=Password" }, ...steps.slice(1)],
          clientCertificates: [{ cert: "public" }],
        },
        referring,
        partly: { cookies: [{ name: "sid" }] },
      };
      assert.deepEqual(options.sessions, shown);
      const after = await driver.change(admin, id, { options: { masks: [".clock"] } });
      assert.deepEqual(after.options, { session: "inline", sessions: shown, masks: [".clock"] });
      const list = await context.ask("monitors.list", { query: { limit: 1 } }, admin);
      for (const answer of [after, list, await context.get(admin, id)])
        assert.ok(!JSON.stringify(answer).includes(SECRET));
      const stored = await findMonitor(context.monitors.em(), admin.teamId, id);
      assert.deepEqual(stored?.options.sessions, sessions);
    });

    it("don't send passwords, typed texts and cookies of sessions to another site after a URL change", async () => {
      const admin = context.team();
      await context.ask("runs.putSecret", { project: "monitors", name: "TOKEN", value: SECRET }, admin);
      const url = "https://other.example";
      const basicAuth = { username: "ada", password: SECRET };
      const steps: Step[] = [{ action: "fill", selector: "label=Password", value: SECRET }];
      for (const session of [{ basicAuth }, { cookies: [{ name: "sid", value: SECRET }] }, { steps }]) {
        const { id } = await context.create(admin, { options: { sessions: { editor: session } } });
        await driver.change(admin, id, { url: "https://example.com/shop" });
        await assert.rejects(driver.change(admin, id, { url, options: { masks: ["a"] } }), {
          type: "invalid_request",
          message: /^"options\.sessions" contains passwords, typed texts or cookies for the previous site/,
        });
        const options = { sessions: { editor: session } };
        assert.equal((await driver.change(admin, id, { url, options })).url, url);
      }
      const plain = { basicAuth: { username: "ada", password: REFERENCE } };
      const { id } = await context.create(admin, { options: { sessions: { plain } } });
      assert.equal((await driver.change(admin, id, { url })).url, url, "it has only a reference");
    });

    it("don't send headers to another site after a URL change", async () => {
      const admin = context.team();
      const url = "https://other.example";
      for (const [options, field] of [
        [{ headers: { authorization: SECRET } }, "headers"],
        [{ perRoute: { "/": { headers: { authorization: SECRET } } } }, "perRoute"],
      ] as const) {
        const { id } = await context.create(admin, { options });
        await driver.change(admin, id, { url: "https://example.com/shop" });
        await assert.rejects(driver.change(admin, id, { url }), {
          type: "invalid_request",
          message: new RegExp(`^"options\\.${field}" contains headers for the previous site`),
        });
        await assert.rejects(driver.change(admin, id, { url, options: { masks: ["a"] } }), {
          type: "invalid_request",
        });
        assert.equal((await driver.change(admin, id, { url, options: { [field]: null } })).url, url);
      }
    });

    it("are hidden from other teams", async () => {
      const { id } = await context.create(context.team());
      const other = context.team();
      const missing = { type: "not_found" };
      await assert.rejects(context.get(other, id), missing);
      await assert.rejects(driver.change(other, id, { name: "Mine" }), missing);
      await assert.rejects(context.ask("monitors.run", { id, checkId: newId("chk") }, other), missing);
      await assert.rejects(context.ask("monitors.history", { id, query: { limit: 1 } }, other), missing);
      await assert.rejects(context.ask("monitors.snooze", { id, hours: 1 }, other), missing);
      await assert.rejects(context.ask("monitors.testAlert", { id }, other), missing);
      await assert.rejects(context.ask("monitors.delete", { id }, other), missing);
    });

    it("allow exactly the plan's limit of concurrent creations, and ignore repeated messages", async () => {
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

    it("pass on snoozes and test alerts, and show the alert status", async () => {
      const admin = context.team();
      const { id } = await context.create(admin);
      assert.deepEqual(await context.ask("monitors.testAlert", { id }, admin), { deliveries: [] });
      await driver.change(admin, id, { alerts: { email: ["a@example.com"], slack: SLACK } });
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
      await driver.ageTestAlert(id, "61 seconds");
      const both = await Promise.allSettled([again(), again(), again()]);
      assert.equal(both.filter(({ status }) => status === "fulfilled").length, 1);
      const { snoozedUntil } = await context.ask("monitors.snooze", { id, hours: 3 }, admin);
      assert.deepEqual(context.alerts.snoozers, [admin.actor.id]);
      assert.equal((await context.get(admin, id)).snoozedUntil, snoozedUntil);
    });
  });
}
