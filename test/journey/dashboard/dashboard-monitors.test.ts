import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright";
import { checkList } from "../../../shared/contracts/monitors/checks.ts";
import { driftView } from "../../../shared/contracts/monitors/monitor-series.ts";
import { monitorList, monitorView } from "../../../shared/contracts/monitors/monitors.ts";
import { statusPageList } from "../../../shared/contracts/monitors/status-pages.ts";
import { createdKey } from "../../../shared/contracts/teams/keys.ts";
import { assertAccessible } from "../../support/drivers/browser/axe.ts";
import { launchBrowser, type Visit, visit } from "../../support/drivers/browser/report-browser.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { PaymentServer } from "../../support/fakes/payment-server.ts";
import { Site } from "../../support/fixtures/site.ts";
import { HttpReceiver } from "../../support/servers/http/http-receiver.ts";

const ROOT = join(import.meta.dirname, "../../..");
const SECRET = "a-secret-of-the-receiver";

describe("The dashboard's monitors and account", () => {
  let vrs: Vrs;
  let site: Site;
  let receiver: HttpReceiver;
  let payments: PaymentServer;
  let browser: Browser;
  let visited: Visit;
  let page: Page;
  let id: string;

  const at = (path: string) => `${vrs.baseUrl}${path}`;
  const showHeader = (colour: string) =>
    site.pages.set(
      "/",
      `<!doctype html><title>Home</title><h1>Home</h1><p style="height:400px;background:${colour}">`,
    );
  const signIn = async (on: Page, path: string, key = vrs.key) => {
    await on.goto(at(path));
    await on.getByLabel("API key").fill(key);
    await on.getByRole("button", { name: "Sign in with API key" }).click();
    await on.waitForURL(at(path));
  };
  const keyFor = async (role: string) =>
    createdKey.parse(await (await vrs.post("/v1/keys", { name: role, role })).json()).key;
  const monitor = async () => monitorView.parse(await (await vrs.request(`/v1/monitors/${id}`)).json());
  const checks = (on: Page) => on.getByRole("list", { name: "Checks", exact: true }).getByRole("listitem");
  const press = (name: string | RegExp) => page.getByRole("button", { name }).click();

  before(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, "cli/build-dashboard.mjs")]);
    [payments, receiver] = await Promise.all([PaymentServer.start(), HttpReceiver.start()]);
    [vrs, site, browser] = await Promise.all([Vrs.start(payments.env), Site.start(), launchBrowser()]);
    showHeader("#234");
    visited = await visit(browser, { viewport: { width: 1440, height: 900 } });
    page = visited.page;
    page.setDefaultTimeout(60_000);
  });
  after(async () => {
    await browser?.close();
    await Promise.all([vrs?.stop(), site?.stop(), receiver?.close(), payments?.close()]);
  });

  it("explains monitors to a team without one, and shows each field's failure", async () => {
    await signIn(page, "/monitors");
    await page.getByRole("heading", { name: "Monitor a live site" }).waitFor();
    await page.getByRole("link", { name: "Create monitor" }).click();
    await page.waitForURL(at("/monitors/new"));
    await page.getByText("This service can't send emails yet").waitFor();
    await page.getByLabel("Pages (one per line)").fill("no-slash");
    await page.getByLabel("Number").fill("2");
    await page.getByLabel("Unit").selectOption({ label: "minutes" });
    await page.getByLabel("Webhook URL", { exact: true }).fill(receiver.url("/alerts"));
    await press("Create monitor");
    const failureIn = (label: string) => page.locator(".field", { hasText: label }).locator(".fault");
    await failureIn("Site URL").waitFor();
    await failureIn("Pages (one per line)").getByText("must be a path").waitFor();
    await failureIn("Webhook secret").getByText("at least 16 characters").waitFor();
    await page.locator(".interval .fault").waitFor();
    const routes = page.getByLabel("Pages (one per line)", { exact: true });
    assert.equal(await routes.inputValue(), "no-slash", "nothing is lost");
    assert.equal(await routes.getAttribute("aria-invalid"), "true");
    const [, failure = ""] = ((await routes.getAttribute("aria-describedby")) ?? "").split(" ");
    assert.match((await page.locator(`[id="${failure}"]`).textContent()) ?? "", /must be a path/);
    visited.complaints.splice(0);
  });

  it("creates one, and shows its first check without a reload", async () => {
    await page.getByLabel("Name", { exact: true }).fill("Shop");
    await page.getByLabel("Site URL").fill(site.url);
    await page.getByLabel("Pages (one per line)").fill("/");
    await page.getByLabel("Viewport widths (px)").fill("375");
    await page.getByLabel("Number").fill("1");
    await page.getByLabel("Unit").selectOption({ label: "days" });
    await page.getByLabel("Webhook secret").fill(SECRET);
    await press("Create monitor");
    await page.waitForURL(/\/monitors\/mon_/);
    id = page.url().split("/").at(-1) ?? "";
    assert.deepEqual(
      [(await monitor()).intervalMinutes, (await monitor()).alertThreshold, (await monitor()).routes],
      [1_440, 0.02, ["/"]],
    );
    // Starts the check that the test waits for. The first scheduled one may be earlier.
    await press("Pause");
    await page.getByText("Paused. Resume the monitor to run scheduled checks again.").waitFor();
    const { lastCheck, currentCheck } = await monitor();
    if (!lastCheck && !currentCheck) await press("Run check");
    await checks(page).first().getByText("new baseline").waitFor();
    await page.locator(".project", { hasText: "Passing" }).waitFor();
    await page.getByRole("button", { name: "Run check" }).waitFor();
  });

  it("shows the difference over time, and the capture beside the baseline", async () => {
    showHeader("#a33");
    await press("Run check");
    await page.getByText("A check is running").waitFor();
    await page.locator(".project", { hasText: "Changed" }).waitFor();
    await checks(page).nth(1).waitFor();
    await page.getByRole("list", { name: "Latest checks" }).getByRole("link").nth(1).waitFor();
    await page.locator(".is-alerted").waitFor();
    const pair = page.locator(".pair image");
    await pair.nth(1).waitFor();
    const links = await pair.evaluateAll(images => images.map(image => image.getAttribute("href")));
    assert.notEqual(links[0], links[1]);
    for (const link of links) {
      const image = await page.request.get(at(`/${link}`));
      assert.deepEqual([image.status(), image.headers()["content-type"]], [200, "image/webp"], `${link}`);
    }

    const uptime = page.getByRole("table", { name: "Uptime and response time by page" });
    await uptime.getByRole("row", { name: /^\/ / }).getByText("100%").first().waitFor();
    await uptime.getByRole("img", { name: /^\/: uptime 100%, mean response time \d/ }).waitFor();
    await page.locator(".alert-mark use").first().waitFor();
    const chart = page.getByRole("slider", { name: "Difference of / at 375 px over time" });
    const ratio = (await monitor()).recentChecks.at(-1)?.ratio ?? 0;
    assert.ok(ratio > 0.02, `${ratio}`);
    const words = async () => (await chart.getAttribute("aria-valuetext")) ?? "";
    await until(async () => (await words()).includes("changed"));
    assert.match(await words(), new RegExp(`${(ratio * 100).toFixed(1)}`));
    await page.getByText("Show as table").click();
    await page.getByRole("table").getByRole("row").nth(1).waitFor();
    await chart.focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/runs\/run_/);
    await page.goBack();
  });

  it("opens the check at which the pointer left the chart", async () => {
    await page.route("**/drift?*", async route => {
      const { stretches, pages, ...drift } = driftView.parse(await (await route.fetch()).json());
      const before = stretches.slice(0, 1).map(first => ({
        ...{ ...first, runId: "run_before" },
        at: new Date(Date.parse(drift.to) - 12 * 3_600_000).toISOString(),
      }));
      const lines = pages.map(line => ({ ...line, ratios: [0, ...line.ratios] }));
      await route.fulfill({ json: { ...drift, stretches: [...before, ...stretches], pages: lines } });
    });
    await page.reload();
    const link = page.getByRole("link", { name: "Open this run" });
    await link.waitFor();
    const chart = page.locator(".chart-frame");
    const { x, y, width } = (await chart.boundingBox()) ?? assert.fail("no chart");
    assert.doesNotMatch((await link.getAttribute("href")) ?? "", /run_before/);
    await page.mouse.move(x + 80, y + 100);
    await page.mouse.move(x - 20, y + 100, { steps: 5 });
    assert.equal(await link.getAttribute("href"), "runs/run_before");
    // A press also keeps it on a way across the chart.
    await page.mouse.click(x + 80, y + 100);
    await page.mouse.move(x + width - 20, y + 120, { steps: 5 });
    assert.equal(await link.getAttribute("href"), "runs/run_before");
    await page.unroute("**/drift?*");
    await page.reload();
  });

  it("shows each receiver's last notification, also a test notification", async () => {
    const row = page.getByRole("list", { name: "Channels" }).getByRole("listitem");
    await row.getByText("change alert").waitFor();
    // A busy machine may need a second attempt.
    await row.filter({ hasText: /Webhook.*Sent.*200 ok/ }).waitFor({ timeout: 120_000 });
    receiver.answers = [{ status: 410, body: "gone for good" }];
    await press("Send test alert");
    await row.getByText("410 gone for good").waitFor();
    await row.getByText("test alert").waitFor();
    for (let sample = 0; sample < 5; sample += 1) await press("Send test alert");
    await page.getByText("were tested too often").waitFor();
  });

  it("acknowledges an incident, comments on it, and resolves it", async () => {
    await page.goto(at("/monitors"));
    await page.getByRole("link", { name: "Incidents" }).click();
    await page.waitForURL(at("/incidents"));
    const rows = page.getByRole("list", { name: "Incidents" }).getByRole("listitem");
    await rows
      .filter({ hasText: "Open" })
      .getByRole("link", { name: /Shop: \/ at 375 px differs/ })
      .click();
    await page.waitForURL(/\/incidents\/inc_/);
    const timeline = page.getByRole("list", { name: "Timeline" });
    await timeline.getByText("Opened by a check").waitFor();
    await timeline.getByText("Confirmed by 2 attempts").waitFor();
    await timeline.getByText("change alert, sent").waitFor();
    await assertAccessible(page);
    await press("Acknowledge");
    await page.locator(".project", { hasText: "Acknowledged" }).waitFor();
    await timeline.getByText("acknowledged the incident").waitFor();
    assert.equal(await page.getByRole("button", { name: "Acknowledge" }).count(), 0);
    await page.getByLabel("Comment").fill("The header was changed on purpose.");
    await press("Add comment");
    await timeline.getByText("on purpose").waitFor();
    assert.equal(await page.getByLabel("Comment").inputValue(), "");
    receiver.answers = [{ status: 200, body: "ok" }];
    await press("Resolve…");
    await page.getByLabel("Note (optional)").fill("Wanted.");
    const alert = page.getByRole("dialog").getByRole("alert");
    await page.route("**/v1/incidents/*/resolve", route => route.abort());
    await press("Resolve incident");
    await alert.getByText("Can't reach the service. Check your connection and try again.").waitFor();
    await page.unroute("**/v1/incidents/*/resolve");
    visited.complaints.splice(0);
    await press("Resolve incident");
    await page.locator(".project", { hasText: "Resolved" }).waitFor();
    await timeline.getByText("Wanted.").waitFor();
    await timeline.getByText("recovery, sent").waitFor({ timeout: 120_000 });
    await page.getByRole("link", { name: "Shop" }).click();
    await page.getByRole("list", { name: "Incidents" }).getByText("Resolved", { exact: true }).waitFor();
  });

  it("says that a text was copied, again for each copy, until the text changes", async () => {
    await press("Create badge");
    const badge = page.getByRole("img", { name: /^Badge of / });
    const section = page.locator("section", { has: badge });
    const code = section.locator("pre");
    const outcome = section.getByRole("status").filter({ hasText: /clipboard/ });
    await section.getByRole("button", { name: "Copy", exact: true }).click();
    await outcome.waitFor();
    await section.locator(".copyable").evaluate(
      element =>
        new Promise<void>(resolve => {
          const status = element.querySelector("[role=status]");
          if (status)
            new MutationObserver(() => resolve()).observe(status, {
              subtree: true,
              childList: true,
              characterData: true,
            });
          element.querySelector("button")?.click();
        }),
    );
    await outcome.waitFor();
    const before = await code.textContent();
    await press("Replace URL");
    await until(async () => (await code.textContent()) !== before);
    assert.equal(await outcome.count(), 0);
  });

  it("publishes a status page and a badge that open without signing in", async () => {
    const badge = page.getByRole("img", { name: /^Badge of / });
    await badge.waitFor();
    const markdown = (await page.locator("section", { has: badge }).locator("pre").textContent()) ?? "";
    const badgeUrl = /\((http.*)\)/.exec(markdown)?.[1] ?? "";
    await page.goto(at("/status-pages"));
    await press("Create status page");
    await page.getByLabel("Title").fill("Acme status");
    await page.getByLabel("Address").fill("Not an address");
    await press("Save status page");
    await page.locator(".fault", { hasText: "lowercase letters" }).waitFor();
    visited.complaints.splice(0);
    await page.getByLabel("Address").fill("acme");
    await page.getByLabel("Access").selectOption({ label: "Protected by a password" });
    await page.getByLabel("Password", { exact: true }).fill("open sesame");
    await page.getByRole("checkbox", { name: "Shop" }).check();
    await page.getByLabel("Shown name of Shop").fill("Our shop");
    await press("Save status page");
    const link = page.getByRole("link", { name: at("/status/acme") });
    await link.waitFor();

    await using visitor = await visit(browser, { viewport: { width: 390, height: 800 } });
    await visitor.page.goto(at("/status/acme"));
    await visitor.page.getByLabel("Password").fill("open sesame");
    await visitor.page.getByRole("button", { name: "Open status page" }).click();
    await visitor.page.getByText("Our shop").waitFor();
    await visitor.page.getByText("All systems are operational").waitFor();
    await assertAccessible(visitor.page);
    const width = await visitor.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${width}`);
    assert.ok(!(await visitor.page.content()).includes(site.url));
    const image = await visitor.page.request.get(badgeUrl);
    assert.equal(image.status(), 200);
    assert.match(image.headers()["cache-control"] ?? "", /^public, max-age=60/);
    assert.match(await image.text(), />100%</);
    await page.goto(at(`/monitors/${id}`));
  });

  it("offers all monitors for status pages and maintenance, and keeps those of a page", async () => {
    const newer = monitorView.parse(
      await (await vrs.post("/v1/monitors", { name: "Newer", url: `${site.url}/newer` })).json(),
    );
    await page.route("**/v1/monitors?*", async route => {
      const small = new URL(route.request().url());
      small.searchParams.set("limit", "1");
      await route.continue({ url: small.href });
    });
    await page.goto(at("/maintenance"));
    await press("Plan maintenance");
    await page.getByRole("checkbox", { name: "Newer" }).waitFor();
    await page.getByRole("checkbox", { name: "Shop" }).waitFor();
    await press("Cancel");
    await page.goto(at("/status-pages"));
    await press("Edit");
    await page.getByRole("checkbox", { name: "Newer" }).check();
    await press("Save status page");
    await page.getByText("Status page saved.").waitFor();
    const [changed] = statusPageList.parse(await (await vrs.request("/v1/status-pages")).json()).data;
    // In the page's own order, then the newest first.
    assert.deepEqual(
      changed?.components.map(({ name }) => name),
      ["Our shop", "Newer"],
    );
    await page.unroute("**/v1/monitors?*");
    assert.equal((await vrs.request(`/v1/monitors/${newer.id}`, { method: "DELETE" })).status, 204);
    await page.goto(at(`/monitors/${id}`));
  });

  it("snoozes and unsnoozes, pauses and resumes, and changes only edited fields", async () => {
    await page.getByLabel("Snooze alerts").selectOption({ label: "For 4 hours" });
    await page.getByText("Snooze ends", { exact: true }).waitFor();
    await page.locator(".legend", { hasText: "snoozed" }).waitFor();
    const until4 = Date.parse((await monitor()).snoozedUntil ?? "");
    assert.ok(Math.abs(until4 - Date.now() - 4 * 3_600_000) < 60_000);
    await press("End snooze");
    await page.getByLabel("Snooze alerts").waitFor();
    assert.equal((await monitor()).snoozedUntil, null);
    await press("Resume");
    await page.getByRole("button", { name: "Pause monitor" }).waitFor();
    assert.notEqual((await monitor()).nextRunAt, null);
    await press("Pause");
    await page.getByText("Paused. Resume the monitor to run scheduled checks again.").waitFor();
    assert.equal((await monitor()).nextRunAt, null);

    const before = await monitor();
    await page.getByRole("link", { name: "Edit monitor" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Shop of ours");
    await page.getByLabel("Alert threshold (%)").fill("0,3");
    await press("Save");
    await page.getByRole("heading", { name: "Shop of ours" }).waitFor();
    const { name, alertThreshold, ...rest } = await monitor();
    assert.deepEqual([name, alertThreshold], ["Shop of ours", 0.003]);
    assert.deepEqual([rest.url, rest.routes, rest.alerts], [before.url, before.routes, before.alerts]);
  });

  it("lets viewers change nothing, and reviewers no channels", async () => {
    await using viewer = await visit(browser);
    await signIn(viewer.page, "/monitors", await keyFor("viewer"));
    const row = viewer.page.getByRole("list", { name: "Monitors" }).getByRole("listitem");
    await row.getByText("Changed", { exact: true }).waitFor();
    await row.getByRole("img", { name: /Last 2 checks: 1 changed, 1 with new baselines/ }).waitFor();
    assert.equal(await viewer.page.getByRole("link", { name: "Create monitor" }).count(), 0);
    await row.getByRole("link").click();
    await checks(viewer.page).first().waitFor();
    for (const name of ["Run check", "Pause monitor", "Delete monitor…", "Send test alert"])
      assert.equal(await viewer.page.getByRole("button", { name }).count(), 0, name);
    await using reviewer = await visit(browser);
    await signIn(reviewer.page, `/monitors/${id}?edit`, await keyFor("reviewer"));
    await reviewer.page.getByText("Team admins configure").waitFor();
    assert.equal(await reviewer.page.getByLabel("Webhook URL", { exact: true }).count(), 0);
    await reviewer.page.getByRole("button", { name: "Save changes" }).click();
    await reviewer.page.getByRole("button", { name: "Run check" }).waitFor();
  });

  it("creates a team with its first key, renames one, and ends an account's other sessions", async () => {
    await page.goto(at("/settings/account"));
    const sessions = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
    await sessions.getByText("this browser").waitFor();
    assert.equal(await sessions.count(), 1);
    await using other = await visit(browser);
    await signIn(other.page, "/settings/account");
    await other.page.getByRole("heading", { name: "Sessions" }).waitFor();
    await page.reload();
    await sessions.nth(1).waitFor();
    await press("Sign out other sessions");
    await until(async () => (await sessions.count()) === 1);
    await other.page.reload();
    await other.page.waitForURL(/\/sign-in/);

    await page.getByLabel("New team name").fill("Small");
    await press("Create team");
    const dialog = page.getByRole("dialog", { name: "First API key of “Small”" });
    const key = (await dialog.locator("pre").textContent()) ?? "";
    await press("Done");
    await page.getByRole("link", { name: "Team", exact: true }).click();
    // Here, users sign in only with a key.
    await page.getByText("can't invite members").waitFor();
    assert.equal(await page.getByRole("button", { name: "Add member" }).count(), 0);
    await press("Show older activity");
    await page
      .getByRole("listitem")
      .filter({ hasText: "created the monitor" })
      .getByRole("link", { name: "Shop" })
      .first()
      .waitFor();
    await page.getByLabel("Team name").fill("Ours");
    await press("Rename");
    await page.getByRole("heading", { level: 1, name: "Ours" }).waitFor();
    await page.getByText("renamed the team").waitFor();

    await using small = await visit(browser);
    await signIn(small.page, "/monitors/new", key);
    for (const [label, value] of [
      ["Name", "First"],
      ["Site URL", site.url],
    ] as const)
      await small.page.getByLabel(label, { exact: true }).fill(value);
    await small.page.getByRole("button", { name: "Create monitor" }).click();
    await small.page.getByText("need the Business plan").waitFor();
    assert.equal(await small.page.getByLabel("Snooze alerts").count(), 0);
    const made = monitorList.parse(
      await (await fetch(at("/v1/monitors"), { headers: { Authorization: `Bearer ${key}` } })).json(),
    );
    assert.equal(made.data[0]?.hold, "plan");
    await small.page.goto(at("/monitors/new"));
    await small.page.getByLabel("Name", { exact: true }).fill("Second");
    await small.page.getByLabel("Site URL").fill(site.url);
    await small.page.getByRole("button", { name: "Create monitor" }).click();
    await small.page.locator("form .fault").getByRole("link", { name: "Plan and usage" }).click();
    await small.page.getByRole("button", { name: "Subscribe to business" }).waitFor();
    await small.page.getByText("Limit reached. Upgrade the plan, or delete monitors.").waitFor();
  });

  it("wraps long names in headings and dialogs", async () => {
    const long = "x".repeat(100);
    await using small = await visit(browser, { viewport: { width: 375, height: 700 } });
    const fits = async (selector: string) => {
      await small.page.locator(selector).first().waitFor();
      const [inner, outer] = await small.page
        .locator(selector)
        .first()
        .evaluate(element => [element.scrollWidth, element.clientWidth]);
      assert.ok((inner ?? 0) <= (outer ?? 0), `${selector}: ${inner} in ${outer} px`);
    };
    await vrs.post("/v1/keys", { name: long, role: "viewer" });
    await signIn(small.page, "/settings/keys");
    await small.page.getByRole("button", { name: `Revoke key ${long}` }).click();
    await fits("dialog h2");
    await fits("dialog");
    const made = await vrs.post("/v1/monitors", { name: long, url: site.url, paused: true });
    const { id: longId } = monitorView.parse(await made.json());
    for (const path of [`/monitors/${longId}?edit`, `/monitors/${longId}`]) {
      await small.page.goto(at(path));
      await small.page.getByRole("heading", { name: long }).waitFor();
      await fits("html");
    }
    await vrs.request(`/v1/monitors/${longId}`, { method: "DELETE" });
  });

  it("keeps the bar's links in place on every page", async () => {
    const locations = async () => {
      const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
      await links.first().waitFor();
      return links.evaluateAll(all => all.map(link => link.getBoundingClientRect().left));
    };
    await page.goto(at("/runs"));
    const before = await locations();
    await page.goto(at("/settings/keys"));
    assert.deepEqual(await locations(), before);
  });

  for (const width of [1440, 768, 360]) {
    it(`has no serious fault of access, and fits, at ${width} px`, async () => {
      await using reader = await visit(browser, { viewport: { width, height: 800 }, bypassCSP: true });
      await signIn(reader.page, "/monitors");
      // Requests before sign-in were refused.
      reader.complaints.splice(0);
      const shown: [string, string][] = [
        ["/monitors", ".monitor-row"],
        [`/monitors/${id}`, ".chart-read strong"],
        [`/monitors/${id}?edit`, ".monitor-form"],
        ["/settings/account", ".rows"],
      ];
      for (const [path, sign] of shown) {
        await reader.page.goto(at(path));
        await reader.page.locator(sign).first().waitFor();
        await assertAccessible(reader.page);
        const scrolled = await reader.page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(scrolled <= width, `${path} is ${scrolled} px wide`);
      }
      assert.deepEqual(reader.complaints, []);
    });
  }

  /** Longer than the polling interval of pages without a stream. */
  const QUIET_MS = 6_000;
  /** Signs in, and records the requests of the page. */
  const follow = async (reader: Visit, path: string) => {
    const requested: string[] = [];
    reader.page.on("request", request => requested.push(new URL(request.url()).pathname));
    const opened = reader.page.waitForResponse(at("/v1/events"));
    await signIn(reader.page, path);
    await opened;
    return requested;
  };
  /** Waits until the page sends no requests. Without a stream, it never stops. */
  const asksNothing = (reader: Visit, requested: string[]) =>
    until(async () => {
      requested.length = 0;
      await reader.page.waitForTimeout(QUIET_MS);
      return requested.length === 0;
    });

  it("shows a run submitted elsewhere without polling, also after the service was unreachable", async () => {
    await using reader = await visit(browser);
    const row = (project: string) => reader.page.locator(".run-row", { hasText: project });
    const submit = (project: string) => vrs.client().submitRun({ url: site.url, viewports: [375], project });
    const requested = await follow(reader, "/runs?monitors=1");
    await row("Open monitor").first().waitFor();
    await asksNothing(reader, requested);
    await submit("told-of");
    await row("told-of").getByText("New", { exact: true }).first().waitFor();
    assert.ok(!requested.includes("/v1/events"), "the stream stayed open");
    await vrs.terminate();
    await vrs.start();
    await asksNothing(reader, requested);
    await submit("told-again");
    await row("told-again").waitFor();
  });

  it("leaves checks and their baselines out of lists, and names them by their monitor on request", async () => {
    await page.goto(at("/runs"));
    const rows = page.locator(".run-row");
    await rows.filter({ hasText: "told-of" }).waitFor();
    assert.equal(await rows.filter({ hasText: "Open monitor" }).count(), 0);
    // Without a branch and commit, it shows the site.
    await rows.filter({ hasText: "told-of" }).getByText(new URL(site.url).host).waitFor();
    await page.getByLabel("Include monitor checks").check();
    await page.waitForURL(at("/runs?monitors=1"));
    const check = rows.filter({ hasText: "Open monitor" }).first();
    await check.getByRole("link", { name: "Shop" }).waitFor();
    await check.getByRole("link", { name: "Open monitor" }).click();
    await page.waitForURL(at(`/monitors/${id}`));
    await page.goBack();
    await check.click();
    await page.getByRole("link", { name: "Shop" }).waitFor();
    await page.goto(at("/baselines?project=told-of"));
    const projects = page.getByLabel("Project").getByRole("option");
    await projects.filter({ hasText: "told-again" }).waitFor({ state: "attached" });
    assert.equal(await projects.filter({ hasText: "Shop" }).count(), 0);
    await page.getByLabel("Include monitors").check();
    await projects.filter({ hasText: "Shop" }).first().waitFor({ state: "attached" });
    await page.waitForURL(at("/baselines?project=told-of&monitors=1"));
  });

  it("shows a check started elsewhere on its page and in the list, without polling", async () => {
    await using reader = await visit(browser);
    await using list = await visit(browser);
    const [requested] = await Promise.all([follow(reader, `/monitors/${id}`), follow(list, "/monitors")]);
    await checks(reader.page).first().waitFor();
    const before = await checks(reader.page).count();
    await asksNothing(reader, requested);
    assert.equal((await vrs.request(`/v1/monitors/${id}/run`, { method: "POST" })).status, 202);
    await reader.page.getByText("A check is running").waitFor();
    await until(async () => (await checks(reader.page).count()) === before + 1);
    await list.page.getByRole("img", { name: new RegExp(`Last ${before + 1} checks`) }).waitFor();
  });

  it("keeps older checks on the page when one starts and ends", async () => {
    await page.route("**/v1/monitors/*/history?*", async route => {
      const answer = await route.fetch();
      const isOlder = new URL(route.request().url()).searchParams.get("cursor") === "older";
      const { data } = checkList.parse(
        await (isOlder ? await vrs.request(`/v1/monitors/${id}/history`) : answer).json(),
      );
      const older = data.slice(-1).map(check => ({ ...check, id: "chk_older", runId: "run_older" }));
      await route.fulfill({
        json: isOlder ? { data: older, nextCursor: null } : { data, nextCursor: "older" },
      });
    });
    await page.goto(at(`/monitors/${id}`));
    await page.getByRole("button", { name: "Show older checks" }).click();
    const older = checks(page).locator('a[href="runs/run_older"]');
    await older.waitFor();
    const before = await checks(page).count();
    await press("Run check");
    await page.getByText("A check is running").waitFor();
    await until(async () => (await checks(page).count()) === before + 1);
    await page.getByRole("button", { name: "Run check" }).waitFor();
    await older.waitFor();
    assert.equal(await checks(page).count(), before + 1);
    await page.unroute("**/v1/monitors/*/history?*");
  });

  it("deletes one after a confirmation", async () => {
    await page.goto(at(`/monitors/${id}`));
    await press("Delete monitor…");
    await press("Keep monitor");
    await press("Delete monitor…");
    await page.route(`**/v1/monitors/${id}`, route =>
      route.request().method() === "DELETE" ? route.abort() : route.continue(),
    );
    await press(/^Delete monitor$/);
    await page.getByRole("dialog").getByRole("alert").getByText("Can't reach the service").waitFor();
    await page.unroute(`**/v1/monitors/${id}`);
    await press(/^Delete monitor$/);
    await page.waitForURL(at("/monitors"));
    await page.getByRole("heading", { name: "Monitor a live site" }).waitFor();
    await page.goto(at(`/monitors/${id}`));
    await page.getByText("Failed to load").waitFor();
    await page.getByRole("link", { name: "Go to monitors" }).click();
    await page.waitForURL(at("/monitors"));
    // Its checks are kept as long as other runs, and link to no deleted page.
    await page.goto(at("/runs?monitors=1"));
    const check = page.locator(".run-row", { hasText: "Deleted monitor" }).first();
    // Playwright fails if there is more than one link. The list may be read again meanwhile.
    await check.getByRole("link").waitFor();
  });
});
