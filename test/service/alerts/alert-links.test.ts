import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import gatewayService from "../../../services/gateway/gateway.service.ts";
import { AlertsTestContext, changedPages, reportOn } from "../../support/contexts/alerts-context.ts";
import { MAIN_DATABASE, type TestDatabase } from "../../support/databases/databases.ts";
import { freePort } from "../../support/drivers/free-port.ts";
import { until } from "../../support/drivers/until.ts";
import { tablesWith, unsubscribedAddresses } from "../../support/rows/alert-rows.ts";
import { HttpReceiver } from "../../support/servers/http/http-receiver.ts";

const HOUR_MS = 3_600_000;

describe("The links of alerts", () => {
  let made: TestDatabase;
  let context: AlertsTestContext;
  let receiver: HttpReceiver;

  before(async () => {
    made = await MAIN_DATABASE.make();
    context = await AlertsTestContext.start({ ...made.env, PORT: String(await freePort()) }, [
      gatewayService,
    ]);
    receiver = await HttpReceiver.start();
  });
  after(async () => {
    await context?.stop();
    await receiver?.close();
    await made?.remove();
  });

  /** Sends the form like a browser's button or a mail program's one-click request. */
  const post = (url: string) =>
    fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
    });
  const snoozedUntil = async (id: string) =>
    (await context.call("alerts.status", { monitorIds: [id] }))[0]?.snoozedUntil;

  it("snooze only with a button", async () => {
    const webhook = { url: receiver.url(), secret: "s" };
    await context.report("mon_1", { webhook }, changedPages("/a"));
    await until(() => receiver.received.length === 1);
    const url: string = JSON.parse(receiver.received[0]?.body ?? "").links.snooze;
    const page = await fetch(url);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /action="\?hours=24"/);
    assert.equal(await snoozedUntil("mon_1"), null);
    assert.equal((await post(`${url}?hours=0`)).status, 422);
    assert.equal((await post(url)).status, 422);
    const answer = await post(`${url}?hours=24`);
    assert.equal(answer.status, 200);
    const until24 = Date.parse((await snoozedUntil("mon_1")) ?? "");
    assert.ok(Math.abs(until24 - Date.now() - 24 * HOUR_MS) < 60_000);
    await until(() => context.noted.length === 1);
    const { id: _id, ...noted } = context.noted[0] ?? {};
    assert.deepEqual(noted, {
      teamId: "team_of_mon_1",
      type: "monitor.snoozed",
      actor: { kind: "service", id: "alert-link", name: "alert link" },
      target: "mon_1",
      details: { hours: 24 },
    });
    assert.match(await answer.text(), new RegExp(new Date(until24).toISOString().slice(0, 10)));
  });

  it("are invalid after they expire, and for other monitors or teams", async () => {
    const links = context.links();
    const good = links.snooze("team_1", "mon_2", new Date(Date.now() + HOUR_MS));
    for (const bad of [
      links.snooze("team_1", "mon_2", new Date(Date.now() - 2_000)),
      good.replace("mon_2", "mon_3"),
      good.replace("team_1", "team_2"),
      good.replace(/\/(\d+)\//, (_all, end) => `/${Number(end) + 1}/`),
      good.slice(0, -1),
    ]) {
      assert.equal((await fetch(bad)).status, 401, bad);
      assert.equal((await post(`${bad}?hours=1`)).status, 401, bad);
    }
    assert.deepEqual([await snoozedUntil("mon_2"), await snoozedUntil("mon_3")], [null, null]);
  });

  it("are invalid after their monitor is deleted", async () => {
    const snooze = context.links().snooze("team_of_mon_5", "mon_5", new Date(Date.now() + HOUR_MS));
    const unsubscribe = context.links().unsubscribe("team_of_mon_5", "mon_5", "a@example.com");
    for (const link of [snooze, unsubscribe]) assert.match(await (await fetch(link)).text(), /<form/);
    context.deleted.add("mon_5");
    const noted = context.noted.length;
    for (const link of [snooze, unsubscribe]) {
      const asked = await fetch(link);
      assert.equal(asked.status, 401, link);
      assert.doesNotMatch(await asked.text(), /<form/);
      assert.equal((await post(`${link}?hours=1`)).status, 401, link);
    }
    assert.equal(await snoozedUntil("mon_5"), null);
    assert.deepEqual(await tablesWith(context.em(), "mon_5"), []);
    assert.equal(context.noted.length, noted);
  });

  it("unsubscribe one address from one monitor", async () => {
    const address = "Somebody@example.com";
    const link = context.links().unsubscribe("team_of_mon_4", "mon_4", address);
    assert.match(await (await fetch(link)).text(), /method="post"/);
    assert.deepEqual(await unsubscribedAddresses(context.em()), []);
    assert.equal((await post(`${link.slice(0, -1)}x`)).status, 401);
    assert.equal((await post(link)).status, 200);
    assert.equal((await post(link)).status, 200);
    assert.deepEqual(await unsubscribedAddresses(context.em()), [
      { monitorId: "mon_4", address: address.toLowerCase() },
    ]);
    const told = context.noted.filter(({ type }) => type === "monitor.unsubscribed");
    assert.deepEqual(
      told.map(({ teamId, target, details }) => [teamId, target, details]),
      [["team_of_mon_4", "mon_4", { address }]],
      "once, also if it is repeated",
    );
    await context.call("alerts.report", reportOn("mon_4", { email: [address] }, changedPages("/a")));
    assert.equal((await context.notifications("mon_4"))[0]?.status, "dropped");
  });

  it("unsubscribe one address from a project, only with a button", async () => {
    const [teamId, project, address] = ["team_of_mails", "acme/shop", "Team@example.com"];
    const read = () => context.call("alerts.projectEmail", { project }, teamId);
    await context.call("alerts.putProjectEmail", { project, addresses: [address, "qa@example.com"] }, teamId);
    const rows: { id: string }[] = await context
      .em()
      .execute("select id from alerts.project_email where team_id = ?", [teamId]);
    const link = context.links().unsubscribeProject(teamId, rows[0]?.id ?? "", address);
    assert.match(await (await fetch(link)).text(), /method="post"/);
    assert.equal((await post(`${link.slice(0, -1)}${link.endsWith("x") ? "y" : "x"}`)).status, 401);
    assert.deepEqual((await read()).unsubscribed, []);
    for (const _time of ["first", "again"]) assert.equal((await post(link)).status, 200);
    assert.deepEqual((await read()).unsubscribed, [address]);
  });
});
