import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { after, before, describe, it } from "mocha";
import type { Browser, Page } from "playwright";
import { assertAccessible } from "../../support/drivers/browser/axe.ts";
import { launchBrowser, type Visit, visit } from "../../support/drivers/browser/report-browser.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { HttpReceiver } from "../../support/servers/http/http-receiver.ts";

const ROOT = join(import.meta.dirname, "../../..");

describe("Notifications in the dashboard", () => {
  let vrs: Vrs;
  let receiver: HttpReceiver;
  let browser: Browser;
  let visited: Visit;
  let page: Page;

  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const section = (name: string) => page.getByRole("region", { name });
  const dialog = () => page.getByRole("dialog");

  before(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, "cli/build-dashboard.mjs")]);
    receiver = await HttpReceiver.start();
    [vrs, browser] = await Promise.all([Vrs.start(), launchBrowser()]);
    visited = await visit(browser, { viewport: { width: 1440, height: 900 }, bypassCSP: true });
    page = visited.page;
    await page.goto(`${vrs.baseUrl}/sign-in`);
    await page.getByLabel("API key").fill(vrs.key);
    await button("Sign in with API key").click();
    await page.getByRole("heading", { name: "Runs" }).waitFor();
  });
  after(async () => {
    await browser?.close();
    await Promise.all([vrs?.stop(), receiver?.close()]);
  });

  it("are behind the settings' own URL, which opens their first page", async () => {
    await page.goto(`${vrs.baseUrl}/settings`);
    await page.waitForURL(`${vrs.baseUrl}/settings/team`);
    await page.goBack();
    await page.getByRole("heading", { name: "Runs" }).waitFor();
  });

  it("have a chat channel for each project, with the result of a test message", async () => {
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("link", { name: "Notifications" }).click();
    await page.getByText("No project has a chat channel.").waitFor();
    await button("Add channel").click();
    await dialog().getByLabel("Project").fill("acme/shop");
    const url = dialog().getByLabel("Incoming webhook URL");
    await url.fill("http://192.0.2.1/services/T0/B0/x");
    await button("Save channel").click();
    await dialog().getByRole("alert").first().waitFor();
    await url.fill(receiver.url("/services/T0/B0/0123456789abcdef"));
    await button("Save channel").click();
    const row = section("Chat channels of projects").getByRole("listitem");
    await row.getByText(`localhost:${receiver.port}/…cdef`).waitFor();
    await row.getByText("Nothing sent yet").waitFor();
    await row.getByRole("button", { name: "Send test message" }).click();
    await row.getByText(/Sent.*test message/).waitFor();
    assert.match(receiver.received[0]?.body ?? "", /runs of acme\/shop/);
    receiver.answers = [{ status: 404, body: "no_service" }];
    await row.getByRole("button", { name: "Send test message" }).click();
    await row.getByText("The receiver doesn't know this address.").waitFor();
    await row.getByText("Answer: 404 no_service").waitFor();
    await assertAccessible(page);
  });

  it("never show the URL of a channel again, and edit and remove it", async () => {
    const row = section("Chat channels of projects").getByRole("listitem");
    await row.getByRole("button", { name: "Edit" }).click();
    const url = dialog().getByLabel("Incoming webhook URL");
    assert.equal(await url.inputValue(), "");
    await assertAccessible(page);
    receiver.answers = [{}];
    await url.fill(receiver.url("/services/T0/B0/fedcba9876543210"));
    await button("Save channel").click();
    await row.getByText("…3210").waitFor();
    await row.getByText("Nothing sent yet").waitFor();
    assert.ok(!(await page.content()).includes("fedcba98"));
    await row.getByRole("button", { name: "Remove" }).click();
    await dialog().getByRole("button", { name: "Remove channel" }).click();
    await page.getByText("No project has a chat channel.").waitFor();
  });

  it("set up the app of a chat tool, and refuse a key that anyone could forge for", async () => {
    const apps = section("Buttons in chat messages");
    await apps.getByRole("button", { name: "Set up Discord" }).click();
    const key = dialog().getByLabel("Public key");
    await key.fill("0".repeat(64));
    await button("Save app").click();
    await dialog()
      .getByText(/^Public key can be forged by anyone/)
      .waitFor();
    await dialog()
      .getByText(/\/v1\/chat\/discord\/team_/)
      .waitFor();
    await assertAccessible(page);
    const { publicKey } = generateKeyPairSync("ed25519");
    await key.fill(publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("hex"));
    await button("Save app").click();
    await apps.getByText(/^By /).waitFor();
    await apps.getByRole("button", { name: "Remove Discord" }).click();
    await dialog().getByRole("button", { name: "Remove app" }).click();
    await apps.getByRole("button", { name: "Set up Discord" }).waitFor();
    await apps.getByRole("button", { name: "Set up Slack" }).click();
    assert.equal(await dialog().getByLabel("Signing secret").getAttribute("type"), "password");
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
  });

  it("lead to the form of a monitor, which sets incident services", async () => {
    const made = await vrs.post("/v1/monitors", { name: "Shop", url: receiver.url("/site"), paused: true });
    assert.equal(made.status, 201);
    await page.reload();
    const monitors = section("Alert channels of monitors");
    await monitors.getByText("No alert channels").waitFor();
    await monitors.getByRole("link", { name: "Add channels" }).click();
    await page.getByLabel("Other incident service").selectOption("Alertmanager");
    await page.getByLabel("Alertmanager base URL").fill(receiver.url("/am"));
    await button("Save changes").click();
    await page.getByText("must have at least 8 characters").waitFor();
    await page.getByLabel(/^Bearer token/).fill("token-of-alertmanager");
    await button("Save changes").click();
    await page.getByText("Changes saved.").waitFor();
    await page.goto(`${vrs.baseUrl}/settings/notifications`);
    const row = monitors.getByRole("list", { name: "Channels of Shop" });
    await row.getByText("Alertmanager").waitFor();
    await monitors.getByRole("button", { name: "Send test alert" }).click();
    await row.getByText(/Sent.*test alert/).waitFor();
    assert.equal(receiver.received.at(-1)?.path, "/am/api/v2/alerts");
    await assertAccessible(page);
    await monitors.getByRole("link", { name: "Edit channels" }).click();
    assert.equal(await page.getByLabel(/^Bearer token/).inputValue(), "");
    await page.getByLabel(/^Remove Alertmanager/).check();
    await button("Save changes").click();
    await page.getByText("Changes saved.").waitFor();
    await page.goto(`${vrs.baseUrl}/settings/notifications`);
    await monitors.getByText("No alert channels").waitFor();
  });

  it("emit no errors except for refused values", () => {
    assert.deepEqual(
      visited.complaints.filter(text => !text.includes("status of 422")),
      [],
    );
  });
});
