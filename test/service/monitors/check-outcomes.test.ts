import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { startDue } from "../../../services/monitors/checks/start-due.ts";
import { WHOLE_PAGE } from "../../../shared/alerts/fingerprint.rule.ts";
import { newId } from "../../../shared/ids.ts";
import type { MonitorTestContext } from "../../support/contexts/monitor-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { type MonitorDriver, useMonitors } from "../../support/drivers/monitor-driver.ts";
import { until } from "../../support/drivers/until.ts";
import { OPEN_AND_DARK } from "../../support/fixtures/sites/job-pages.ts";

const SECRET = "a-secret-of-the-receiver";
const REFERENCE = `\${secret.EDITOR_PASSWORD}`;
/** Error of a check whose secret was deleted. */
const GONE = /secret EDITOR_PASSWORD, which the project monitors doesn't have/;

for (const database of MAIN_DATABASES) {
  describe(`Outcomes of checks on ${database.name}`, () => {
    let context: MonitorTestContext;
    let driver: MonitorDriver;
    useMonitors(database, (started, itsDriver) => {
      [context, driver] = [started, itsDriver];
    });

    it("establish baselines first, then compare with them", async () => {
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
      const [run] = await driver.runsOf(admin);
      assert.equal(run?.project, `monitor/${id}`);
      assert.equal(run?.threshold, 0.02);
    });

    it("show minor changes within the alert threshold, without an alert", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/x", "/y"], alertThreshold: 0.5 });
      await context.check(admin, id);
      driver.show("https://example.com/y@1280", "a little new");
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

    it("confirm changed pages only, and recover when the change is approved", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/x", "/y"], viewports: [375, 1280] });
      await context.check(admin, id);
      driver.show("https://example.com/y@1280", "new look");
      context.rendered.length = 0;
      const check = await context.check(admin, id);
      assert.equal(check.outcome, "changed");
      assert.equal(check.attempts, 2);
      assert.deepEqual(context.rendered.slice(4), ["/y@1280"], "the second look is at what changed alone");
      assert.deepEqual(
        check.drift.filter(({ state }) => state !== "ok"),
        [
          {
            ...{ route: "/y", stateName: null, environment: null, region: null, viewport: 1280 },
            ...{ ratio: 0.25, faintPixels: 0, state: "changed", minor: false },
          },
        ],
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

    it("confirm and report only the state and environment that changed", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/menu"], options: OPEN_AND_DARK });
      const first = await context.check(admin, id);
      assert.deepEqual([first.outcome, first.drift.length], ["established", 4]);
      const dark = "/menu › open (dark)@1280";
      driver.show(`https://example.com${dark}`, "new look");
      context.rendered.length = 0;
      const check = await context.check(admin, id);
      assert.deepEqual([check.outcome, check.attempts], ["changed", 2]);
      assert.deepEqual([context.rendered.length, ...context.rendered.slice(4)], [5, dark]);
      assert.deepEqual(
        check.drift.filter(({ state }) => state !== "ok"),
        [
          {
            ...{ route: "/menu", stateName: "open", environment: "dark", region: null, viewport: 1280 },
            ...{ ratio: 0.25, faintPixels: 0, state: "changed", minor: false },
          },
        ],
      );
      await until(() => context.alerts.of(id).length === 2);
      assert.equal(context.alerts.of(id)[1], `changed ${dark}`);

      // Another one fails as well. The alert of the changed one stays.
      const down = { blame: "page", reason: "It answered 500." } as const;
      driver.show("https://example.com/menu (dark)@1280", { ...down, blame: "service" });
      await context.check(admin, id);
      await driver.waitUntilReported(id);
      const last = context.alerts.reports.findLast(({ monitor }) => monitor.id === id);
      assert.deepEqual(last?.uncaptured, [
        { route: "/menu", state: null, environment: "dark", viewport: 1280 },
      ]);
      driver.show("https://example.com/menu (dark)@1280", "as ever");

      await context.ask("runs.approve", { runId: (await context.check(admin, id)).runId }, admin);
      await until(async () => (await context.get(admin, id)).status === "ok");
      assert.equal((await context.check(admin, id)).outcome, "ok");
      driver.show("https://example.com/menu@1280", "new look");
      await context.check(admin, id);
      await driver.waitUntilReported(id);
      assert.equal(context.alerts.of(id).at(-1), "changed /menu@1280", "its look is new here");
    });

    it("name a deleted secret as the reason, also before a confirmation", async () => {
      const admin = context.team();
      const secret = { project: "monitors", name: "EDITOR_PASSWORD" };
      await context.ask("runs.putSecret", { ...secret, value: "correct horse" }, admin);
      const steps = [{ action: "fill" as const, selector: "#password", value: REFERENCE }];
      const options = { session: "editor", sessions: { editor: { steps } } };
      const { id } = await context.create(admin, { routes: ["/login"], options });
      assert.equal((await context.check(admin, id)).outcome, "established");

      driver.show("https://example.com/login@1280", "new look");
      context.monitors.confirmAfterMs = 60_000;
      try {
        const { id: checkId } = await context.ask("monitors.run", { id, checkId: newId("chk") }, admin);
        await until(async () => (await driver.checksOf(admin, id))[0]?.attempts === 2);
        await context.ask("runs.deleteSecret", secret, admin);
        context.monitors.confirmAfterMs = 0;
        const { outcome, error } = await context.ended(admin, id, checkId);
        assert.equal(outcome, "failed");
        assert.match(error ?? "", GONE);
      } finally {
        context.monitors.confirmAfterMs = 0;
      }
      await driver.makeDue(id);
      await startDue(context.monitors);
      await until(async () => (await driver.checksOf(admin, id))[0]?.endedAt != null);
      const [scheduled] = await driver.checksOf(admin, id);
      assert.deepEqual([scheduled?.kind, scheduled?.outcome], ["scheduled", "failed"]);
      assert.match(scheduled?.error ?? "", GONE);
      await assert.rejects(context.check(admin, id), { type: "invalid_request", message: GONE });
      assert.equal((await context.get(admin, id)).status, "ok", "it says nothing about the site");
      await driver.waitUntilReported(id);
      assert.deepEqual(context.alerts.of(id), ["ok"]);
    });

    it("warn if renderers that draw differently captured a baseline", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/x", "/drawn"] });
      try {
        context.rendering = "a".repeat(16);
        await context.check(admin, id);
        context.rendering = "b".repeat(16);
        assert.deepEqual((await context.check(admin, id)).warnings, [], "nothing changed");
        driver.show("https://example.com/drawn@1280", "new look");
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

    it("link the run that shows only the confirmed changes", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/stays", "/flickers", "/comes"] });
      const { runId: first } = await context.check(admin, id);
      assert.equal((await driver.checksOf(admin, id))[0]?.runId, first);
      driver.show("https://example.com/stays@1280", "new look");
      driver.show("https://example.com/flickers@1280", "half loaded", "as ever");
      driver.show(
        "https://example.com/comes@1280",
        { blame: "page", reason: "It answered 500." },
        "new look",
      );
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
    it("ignore a change that the second attempt does not confirm", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/flake"] });
      await context.check(admin, id);
      driver.show("https://example.com/flake@1280", "half loaded", "as ever");
      const check = await context.check(admin, id);
      assert.deepEqual([check.outcome, check.attempts], ["ok", 2]);
      await driver.waitUntilReported(id);
      assert.deepEqual(context.alerts.of(id), ["ok", "ok"]);
    });

    it("distinguish a site that is down from a changed one, after a second attempt", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/d", "/e"] });
      await context.check(admin, id);
      const down = { blame: "page", reason: "https://example.com/d answered 500." } as const;
      driver.show("https://example.com/d@1280", down);
      driver.show("https://example.com/e@1280", "different too");
      const check = await context.check(admin, id);
      assert.deepEqual([check.outcome, check.attempts, check.error], ["down", 2, down.reason]);
      const view = await context.get(admin, id);
      assert.deepEqual([view.status, view.uptime], ["down", 0.5]);
      driver.show("https://example.com/d@1280", down, "as ever");
      driver.show("https://example.com/e@1280", "as ever");
      assert.equal((await context.check(admin, id)).outcome, "ok", "it answered the second time");
      await until(() => context.alerts.of(id).length === 3);
      assert.deepEqual(context.alerts.of(id), ["ok", "down /d changed /e@1280", "ok"]);
      for (const page of ["d", "e"]) driver.show(`https://example.com/${page}@1280`, down, down);
      await context.check(admin, id);
      await until(() => context.alerts.of(id).length === 4);
      assert.equal(context.alerts.of(id).at(-1), "all down /d /e");
    });

    it("keep the status of a site that the service couldn't capture", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/lost"] });
      await context.check(admin, id);
      driver.show("https://example.com/lost@1280", { blame: "service", reason: "The browser went away." });
      const check = await context.check(admin, id);
      assert.deepEqual([check.outcome, check.error], ["failed", "The browser went away."]);
      const view = await context.get(admin, id);
      assert.deepEqual([view.status, view.uptime], ["ok", 1]);
      await driver.waitUntilReported(id);
      assert.deepEqual(context.alerts.of(id), ["ok"]);
    });

    it("report uncaptured pages together with changed ones", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/unseen", "/seen", "/fine"] });
      await context.check(admin, id);
      driver.show("https://example.com/unseen@1280", { blame: "service", reason: "The browser went away." });
      driver.show("https://example.com/seen@1280", "different");
      const { outcome, runId } = await context.check(admin, id);
      assert.equal(outcome, "changed");
      await until(() => context.alerts.of(id).length === 2);
      assert.deepEqual(
        context.alerts.reports.filter(({ monitor }) => monitor.id === id).map(({ uncaptured }) => uncaptured),
        [
          [],
          [
            { route: "/unseen", state: null, environment: null, viewport: 1280 },
            { route: "/unseen", viewport: WHOLE_PAGE },
          ],
        ],
      );
      await driver.makeDue(id, "-50 minutes");
      await context.ask("runs.approve", { runId }, admin);
      await until(() => driver.isDue(id));
      assert.equal((await context.get(admin, id)).status, "changed", "what was not seen may be wrong still");
      assert.equal(context.alerts.of(id).length, 2);
    });

    it("establish baselines for new pages and widths, and for a new URL", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/n"] });
      await context.check(admin, id);
      await driver.change(admin, id, { routes: ["/n", "/more"], viewports: [1280, 375] });
      const wider = await context.check(admin, id);
      assert.equal(wider.outcome, "established");
      assert.deepEqual(wider.drift.filter(({ state }) => state === "ok").length, 1);
      assert.equal((await context.check(admin, id)).outcome, "ok");
      driver.show("https://other.example/n@1280", "another site");
      assert.equal((await driver.change(admin, id, { url: "https://other.example" })).status, "never");
      const elsewhere = await context.check(admin, id);
      assert.equal(elsewhere.outcome, "established");
      assert.deepEqual(
        elsewhere.drift.map(({ state }) => state),
        ["new", "new", "new", "new"],
      );
      await driver.waitUntilReported(id);
      assert.ok(context.alerts.of(id).every(report => report === "ok"));
    });

    it("use the monitor's capture options in all attempts, and delete them when the check ends", async () => {
      const admin = context.team();
      const shared = { hide: [".chat"], headers: { authorization: SECRET }, colorThreshold: 0.3 };
      const options = { ...shared, perRoute: { "/p": { masks: [".clock"], colorThreshold: 0.2 } } };
      const { id } = await context.create(admin, { routes: ["/o", "/p"], viewports: [375, 1280], options });
      context.rendered.length = 0;
      context.captureOptions.length = 0;
      await context.check(admin, id);
      driver.show("https://example.com/p@1280", "another");
      const check = await context.check(admin, id);
      assert.deepEqual([check.outcome, check.attempts], ["changed", 2]);
      assert.equal(context.rendered.length, 4 + 4 + 1);
      const { hide, headers } = shared;
      for (const [at, page] of context.rendered.entries())
        assert.deepEqual(
          context.captureOptions[at],
          page.startsWith("/p") ? { hide, headers, masks: [".clock"] } : { hide, headers },
        );
      assert.deepEqual(await driver.thresholdsOf(id), [
        { route: "/o", threshold: 0.02, colorThreshold: 0.3 },
        { route: "/p", threshold: 0.02, colorThreshold: 0.2 },
      ]);
      assert.deepEqual(await driver.storedOptionsOf(id), [{ options: null }], "headers may be secrets");
    });

    it("keep baselines with other options, so that reviewers approve the changes", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/q"] });
      await context.check(admin, id);
      assert.equal((await driver.change(admin, id, { options: { masks: [".clock"] } })).status, "ok");
      driver.show("https://example.com/q@1280", "painted over");
      const check = await context.check(admin, id);
      assert.equal(check.outcome, "changed");
      await context.ask("runs.approve", { runId: check.runId }, admin);
      await until(async () => (await context.get(admin, id)).status === "ok");
      assert.equal((await context.check(admin, id)).outcome, "ok");
    });

    it("don't affect a URL that the monitor got during the check", async () => {
      const admin = context.team();
      const { id } = await context.create(admin, { routes: ["/moved"] });
      const release = context.hold();
      try {
        const { id: checkId } = await context.ask("monitors.run", { id, checkId: newId("chk") }, admin);
        await driver.change(admin, id, { url: "https://other.example" });
        await driver.change(admin, id, { url: "https://example.com" });
        release();
        assert.equal((await context.ended(admin, id, checkId)).outcome, "established");
        await until(() => driver.isReported(checkId));
        assert.deepEqual([(await context.get(admin, id)).status, context.alerts.of(id)], ["never", []]);
      } finally {
        release();
      }
    });
  });
}
