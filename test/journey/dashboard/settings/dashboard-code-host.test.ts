import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright";
import { createdKey } from "../../../../shared/contracts/teams/keys.ts";
import { assertAccessible } from "../../../support/drivers/browser/axe.ts";
import { launchBrowser, type Visit, visit } from "../../../support/drivers/browser/report-browser.ts";
import { Vrs } from "../../../support/drivers/vrs.ts";
import { CodeHostAppServer } from "../../../support/fakes/code-host/code-host-app.ts";
import { problemOf } from "../../../support/formats/problem.ts";

const ROOT = join(import.meta.dirname, "../../../..");

describe("The code-host app in the dashboard", () => {
  let host: CodeHostAppServer;
  let vrs: Vrs;
  let browser: Browser;
  let visited: Visit;

  before(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, "cli/build-dashboard.mjs")]);
    host = await CodeHostAppServer.start();
    // As for an app that was deleted.
    host.failures.push({ match: /^GET \/app$/, times: 1_000, status: 401, message: "Bad credentials" });
    [vrs, browser] = await Promise.all([Vrs.start(host.env), launchBrowser()]);
    visited = await visit(browser, { viewport: { width: 1440, height: 900 } });
  });
  after(async () => {
    await browser?.close();
    await vrs?.stop();
    await host?.close();
  });

  it("is created with one form, shows its settings once, and later what it lacks", async () => {
    const { page, complaints } = visited;
    await page.goto(`${vrs.baseUrl}/settings/code-host`);
    await page.getByLabel("API key").fill(vrs.key);
    await page.getByRole("button", { name: "Sign in with API key" }).click();
    await page.getByText("rejects the app's id or private key").waitFor();
    await page.getByLabel("Organization").fill("octo-org");
    await page.getByRole("button", { name: "Create app…" }).click();
    await page.getByRole("heading", { name: "Create the code-host app" }).waitFor();
    await page.getByRole("button", { name: "Create app", exact: true }).click();
    await page.getByRole("button", { name: "Show settings" }).click();
    await page.getByText("CODEHOST_APP_PRIVATE_KEY=").waitFor();
    const settings = (await page.locator(".copyable code").textContent()) ?? "";
    for (const name of ["CODEHOST_APP_ID", "CODEHOST_WEBHOOK_SECRET", "CODEHOST_CLIENT_SECRET"])
      assert.ok(settings.includes(`${name}="${host.env[name] ?? host.accounts.env[name]}"`), name);
    assert.equal(new URL(page.url()).search, "");
    await page.reload();
    await page.getByRole("heading", { name: "Code host" }).waitFor();
    assert.equal(await page.getByText("CODEHOST_APP_PRIVATE_KEY=").count(), 0);

    delete host.apps.permissions.merge_queues;
    host.failures.length = 0;
    const missing = page.getByRole("list", { name: "Missing permissions and events" });
    await missing.getByText("Permission “Merge queues”: read").waitFor({ timeout: 30_000 });
    assert.equal(await missing.getByRole("listitem").count(), 1);
    // Before sign-in.
    const strange = complaints.filter(text => !text.includes("401"));
    assert.deepEqual([strange, host.complaints], [[], []]);
  });

  it("has no serious accessibility violation, and fits a narrow window", async () => {
    await using reader = await visit(browser, { viewport: { width: 360, height: 800 }, bypassCSP: true });
    await reader.page.goto(`${vrs.baseUrl}/settings/code-host`);
    await reader.page.getByLabel("API key").fill(vrs.key);
    await reader.page.getByRole("button", { name: "Sign in with API key" }).click();
    await reader.page.getByRole("list", { name: "Missing permissions and events" }).waitFor();
    await assertAccessible(reader.page);
    const scrolled = await reader.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(scrolled <= 360, `it is ${scrolled} px wide`);
  });

  it("is for operators only, and refuses an unknown creation", async () => {
    const made = await vrs.post("/v1/keys", { name: "Reviewer", role: "reviewer" });
    const { key } = createdKey.parse(await made.json());
    const as = (path: string, init: RequestInit = {}) =>
      fetch(`${vrs.baseUrl}${path}`, {
        ...init,
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      });
    await problemOf(await as("/v1/admin/code-host"), "forbidden");
    await problemOf(await as("/v1/admin/code-host/app", { method: "POST", body: "{}" }), "forbidden");
    const strange = { code: "c", state: "s".repeat(43) };
    await problemOf(await vrs.post("/v1/admin/code-host/app/settings", strange), "invalid_request");
    const hostile = { organization: "a/../b" };
    await problemOf(await vrs.post("/v1/admin/code-host/app", hostile), "invalid_request");
    const page = await fetch(`${vrs.baseUrl}/codehost/app/new?state=${"s".repeat(43)}`);
    assert.equal(page.status, 404);
    assert.match(await page.text(), /This link has expired/);
  });
});
