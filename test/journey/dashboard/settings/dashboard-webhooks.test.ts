import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import type { Page } from "playwright";
import { Webhook as Verifier } from "standardwebhooks";
import { submittedRun } from "../../../../shared/contracts/runs/submit-run.ts";
import { eventBody } from "../../../../shared/contracts/webhooks/events.ts";
import { assertAccessible } from "../../../support/drivers/browser/axe.ts";
import { Dashboard } from "../../../support/drivers/browser/dashboard.ts";
import { until } from "../../../support/drivers/until.ts";
import type { Vrs } from "../../../support/drivers/vrs.ts";
import { HttpReceiver } from "../../../support/servers/http/http-receiver.ts";

describe("Webhooks in the dashboard", () => {
  let on: Dashboard;
  let vrs: Vrs;
  let receiver: HttpReceiver;
  let page: Page;
  let secret: string;

  const button = (name: string) => on.button(name);
  const verified = ({ body, headers }: (typeof receiver.received)[number], by = secret): unknown => {
    const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
    return new Verifier(by).verify(
      body,
      Object.fromEntries(names.map(name => [name, String(headers[name])])),
    );
  };

  before(async () => {
    receiver = await HttpReceiver.start();
    on = await Dashboard.start();
    ({ vrs, page } = on);
  });
  after(() => Promise.all([on?.stop(), receiver?.close()]));

  it("are added with a secret that is shown once", async () => {
    await on.openSettings("Webhooks");
    await page.getByText("No webhooks yet.").waitFor();
    await button("Add webhook").click();
    const form = on.dialog();
    await form.getByLabel("URL").fill(receiver.url("/in"));
    await on.submit("Save webhook");
    await form.getByText("Select at least one event.").waitFor();
    await form.getByLabel("A run ended").check();
    await on.submit("Save webhook");
    await page.getByRole("heading", { name: "Webhook secret" }).waitFor();
    secret = /whsec_[\w+/]{43}=/.exec((await on.dialog().textContent()) ?? "")?.[0] ?? "";
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
    await on.confirm("Rotate secret");
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
    await on.confirm("Delete webhook");
    await page.getByText("No webhooks yet.").waitFor();
    assert.deepEqual(on.complaints, []);
  });
});
