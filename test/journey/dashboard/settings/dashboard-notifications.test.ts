import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { after, before, describe, it } from "mocha";
import type { Page } from "playwright";
import { assertAccessible } from "../../../support/drivers/browser/axe.ts";
import { Dashboard } from "../../../support/drivers/browser/dashboard.ts";
import type { Vrs } from "../../../support/drivers/vrs.ts";
import { HttpReceiver } from "../../../support/servers/http/http-receiver.ts";

describe("Notifications in the dashboard", () => {
  let on: Dashboard;
  let vrs: Vrs;
  let receiver: HttpReceiver;
  let page: Page;

  const button = (name: string) => on.button(name);
  const section = (name: string) => on.section(name);
  const dialog = () => on.dialog();

  before(async () => {
    receiver = await HttpReceiver.start();
    on = await Dashboard.start();
    ({ vrs, page } = on);
  });
  after(() => Promise.all([on?.stop(), receiver?.close()]));

  it("are behind the settings' own URL, which opens their first page", async () => {
    await page.goto(`${vrs.baseUrl}/settings`);
    await page.waitForURL(`${vrs.baseUrl}/settings/team`);
    await page.goBack();
    await page.getByRole("heading", { name: "Runs" }).waitFor();
  });

  it("have a chat channel for each project, with the result of a test message", async () => {
    await on.openSettings("Notifications");
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
    await on.submit("Remove channel");
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
    await on.submit("Remove app");
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
      on.complaints.filter(text => !text.includes("status of 422")),
      [],
    );
  });
});
