import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { after, before, describe, it } from "mocha";
import type { Browser, Page } from "playwright";
import { Webhook as Verifier } from "standardwebhooks";
import { submittedRun } from "../../../shared/contracts/runs/submit-run.ts";
import { eventBody } from "../../../shared/contracts/webhooks/events.ts";
import { assertAccessible } from "../../support/drivers/browser/axe.ts";
import { launchBrowser, type Visit, visit } from "../../support/drivers/browser/report-browser.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { HttpReceiver } from "../../support/servers/http/http-receiver.ts";

const ROOT = join(import.meta.dirname, "../../..");

describe("Webhooks in the dashboard", () => {
  let vrs: Vrs;
  let receiver: HttpReceiver;
  let browser: Browser;
  let visited: Visit;
  let page: Page;
  let secret: string;

  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const verified = ({ body, headers }: (typeof receiver.received)[number], by = secret): unknown => {
    const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
    return new Verifier(by).verify(
      body,
      Object.fromEntries(names.map(name => [name, String(headers[name])])),
    );
  };

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

  it("are added with a secret that is shown once", async () => {
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("link", { name: "Webhooks" }).click();
    await page.getByText("No webhooks yet.").waitFor();
    await button("Add webhook").click();
    const form = page.getByRole("dialog");
    await form.getByLabel("URL").fill(receiver.url("/in"));
    await form.getByRole("button", { name: "Save webhook" }).click();
    await form.getByText("Select at least one event.").waitFor();
    await form.getByLabel("A run ended").check();
    await form.getByRole("button", { name: "Save webhook" }).click();
    await page.getByRole("heading", { name: "Webhook secret" }).waitFor();
    secret = /whsec_[\w+/]{43}=/.exec((await page.getByRole("dialog").textContent()) ?? "")?.[0] ?? "";
    assert.notEqual(secret, "");
    await button("Done").click();
    await page.getByText(receiver.url("/in")).waitFor();
    assert.ok(!(await page.content()).includes(secret));
  });

  it("receive a test event and the end of a real run, which the log shows and replays", async () => {
    await button("Send test event").click();
    const log = page.getByRole("list", { name: "Deliveries" });
    await log.getByText("Delivered").waitFor();
    const { baseUrl: url } = vrs;
    const answer = await vrs.post("/v1/run", { url, routes: ["/health"], project: "shop" });
    const { id } = submittedRun.parse(await answer.json());
    await until(() => receiver.received.length === 2);
    const [test, ended] = receiver.received.map(received => verified(received));
    eventBody("webhook.test").parse(test);
    const { data } = eventBody("run.completed").parse(ended);
    assert.ok("run" in data);
    assert.deepEqual([data.run.id, data.run.status], [id, "completed"]);
    await log.getByText("run.completed").first().waitFor();
    await log.getByRole("button", { name: "Replay run.completed" }).click();
    await until(() => receiver.received.length === 3);
    assert.equal(receiver.received[2]?.headers["webhook-id"], receiver.received[1]?.headers["webhook-id"]);
    await log.getByText("replay").first().waitFor();
    await assertAccessible(page);
  });

  it("are paused, rotated and deleted", async () => {
    await button("Pause").click();
    await page.getByText("A member paused this webhook.").waitFor();
    await button("Resume").click();
    await page.getByText("Active").waitFor();
    await button("Rotate secret").click();
    await page.getByRole("dialog").getByRole("button", { name: "Rotate secret" }).click();
    await page.getByRole("heading", { name: "Webhook secret" }).waitFor();
    await button("Done").click();
    await page.getByText("The previous secret also signs.").waitFor();
    const shots = process.env.SHOTS;
    for (const colorScheme of shots === undefined ? [] : (["light", "dark"] as const))
      for (const width of [1440, 390]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await page.screenshot({ path: `${shots}/${colorScheme}-${width}.png`, fullPage: true });
      }
    await button("Delete webhook").click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete webhook" }).click();
    await page.getByText("No webhooks yet.").waitFor();
    assert.deepEqual(visited.complaints, []);
  });
});
