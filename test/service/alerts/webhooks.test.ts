import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import { Webhook as Verifier } from "standardwebhooks";
import { deleteAllGone, prune } from "../../../services/alerts/prune.ts";
import { deliverEvent } from "../../../services/alerts/webhooks/deliver-event.ts";
import { findWebhook, updateWebhook } from "../../../services/alerts/webhooks/webhook.store.ts";
import { addressPolicy } from "../../../shared/capture/network/address-guard.ts";
import { type EventType, eventBody, type OutgoingEvent } from "../../../shared/contracts/webhooks/events.ts";
import { type ChangeWebhook, WEBHOOK_BOUNDS } from "../../../shared/contracts/webhooks/webhooks.ts";
import { newId } from "../../../shared/ids.ts";
import { AlertsTestContext, changedPages } from "../../support/contexts/alerts-context.ts";
import { MAIN_DATABASE, type TestDatabase } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";
import { DnsServer } from "../../support/servers/dns-server.ts";
import { HttpReceiver } from "../../support/servers/http/http-receiver.ts";
import { MailServer } from "../../support/servers/mail-server.ts";

const TEAM = "team_of_mon_1";
const events = (count: number, more: Partial<OutgoingEvent> = {}): OutgoingEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ id: newId("evt"), type: "run.reviewed", teamId: TEAM, project: "acme/shop", subject: "run_1" },
    ...{ at: new Date(index).toISOString(), data: { number: index } },
    ...more,
  }));

describe("A team's webhook", () => {
  let database: TestDatabase;
  let node: AlertsTestContext;
  let receiver: HttpReceiver;
  let mails: MailServer;

  before(async () => {
    database = await MAIN_DATABASE.make();
    mails = await MailServer.start();
    node = await AlertsTestContext.start({
      ...database.env,
      SMTP_URL: mails.url(),
      MAIL_FROM: "vrs@example.com",
    });
    node.admins.push("admin@example.com");
  });
  after(async () => {
    await node?.stop();
    await mails?.close();
    await database?.remove();
  });
  beforeEach(async () => {
    receiver = await HttpReceiver.start();
  });
  afterEach(async () => {
    for (const { id } of (await node.call("alerts.webhooks", {}, TEAM)).data)
      await node.call("alerts.deleteWebhook", { id }, TEAM);
    await receiver.close();
  });

  const create = (more: object = {}) =>
    node.call(
      "alerts.createWebhook",
      { url: receiver.url("/in"), events: ["run.reviewed"], project: null, description: "", ...more },
      TEAM,
    );
  const log = async (id: string) =>
    (await node.call("alerts.deliveries", { id, query: { limit: 100 } }, TEAM)).data;
  const isEnded = async (id: string) => (await log(id)).every(({ status }) => status !== "queued");
  const bodies = () => receiver.received.map(({ body }) => JSON.parse(body));
  const makeDue = async () => {
    await node.em().execute("update alerts.notification set next_at = now() where status = 'queued'");
    node.wake();
  };
  const ageFailure = async (hours: number) => {
    const earlier = (column: string) => `${column} = ${column} - make_interval(hours => ?)`;
    await node.em().execute(`update alerts.webhook set ${earlier("failing_since")}`, [hours]);
    const waiting = `update alerts.notification set ${earlier("first_attempt_at")} where status = 'queued'`;
    await node.em().execute(waiting, [hours]);
  };

  it("gets signed events in order, each once although it is published twice", async () => {
    const { id, secret } = await create();
    const published = events(5);
    await node.call("alerts.publish", { events: published });
    await node.call("alerts.publish", { events: published });
    await until(() => isEnded(id));
    assert.deepEqual(
      bodies().map(({ data }) => data.number),
      [0, 1, 2, 3, 4],
    );
    for (const [index, { body, headers }] of receiver.received.entries()) {
      const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
      new Verifier(secret).verify(body, Object.fromEntries(names.map(name => [name, String(headers[name])])));
      assert.equal(headers["webhook-id"], published[index]?.id);
    }
  });

  it("keeps the order of a subject while the first delivery is retried, and doesn't hold up others", async () => {
    receiver.answers = [{ status: 404 }, {}];
    const { id } = await create();
    await node.call("alerts.publish", { events: events(2) });
    await until(() => receiver.received.length === 1);
    await node.call("alerts.publish", { events: events(1, { subject: "run_2", data: { number: 9 } }) });
    await until(async () => (await log(id))[0]?.status === "sent");
    assert.deepEqual((await log(id)).map(({ status }) => status).toReversed(), ["queued", "queued", "sent"]);
    assert.ok((await node.call("alerts.webhook", { id }, TEAM)).failingSince === null);
    await makeDue();
    await until(() => isEnded(id));
    assert.deepEqual(
      bodies().map(({ data }) => data.number),
      [0, 9, 0, 1],
    );
  });

  it("is paused with a mail after three days of failures, and delivers again once resumed", async () => {
    receiver.answers = [{ status: 503, body: "maintenance", headers: { "retry-after": "14400" } }];
    const { id } = await create();
    await node.call("alerts.publish", { events: events(2) });
    await until(async () =>
      (await log(id)).some(({ attempts, answer }) => attempts === 1 && answer !== null),
    );
    // Four hours later, the three days are over.
    await ageFailure(69);
    await makeDue();
    await until(() => isEnded(id));
    const paused = await node.call("alerts.webhook", { id }, TEAM);
    assert.deepEqual([paused.status, paused.pausedBecause], ["paused", "failures"]);
    const [second, first] = await log(id);
    assert.match(first?.answer ?? "", /after 2 attempts\. 503 maintenance/);
    assert.equal(second?.status, "dropped");
    await until(() => mails.received.length === 1);
    assert.match(mails.received[0]?.mail.subject ?? "", /webhook of Acme was paused/i);
    assert.match(mails.received[0]?.mail.text ?? "", /\/settings\/webhooks/);

    await node.call("alerts.publish", { events: events(1) });
    assert.equal((await log(id))[0]?.status, "dropped");
    receiver.answers = [{}];
    await node.call("alerts.changeWebhook", { id, body: { status: "active" } }, TEAM);
    const replayed = await node.call("alerts.replayDelivery", { id, delivery: second?.id ?? "" }, TEAM);
    await until(() => isEnded(id));
    assert.deepEqual([replayed.isReplay, replayed.eventId], [true, second?.eventId]);
    assert.equal(receiver.received.at(-1)?.headers["webhook-id"], second?.eventId);
    assert.equal(mails.received.length, 1);
  });

  it("isn't paused by one failure long after a delivery that failed for good", async () => {
    receiver.answers = [{ status: 503 }];
    const { id } = await create();
    await node.call("alerts.publish", { events: events(1) });
    await until(async () => (await log(id))[0]?.answer !== null);
    await ageFailure(50);
    receiver.answers = [{ status: 503, headers: { "retry-after": "86400" } }];
    await makeDue();
    await until(() => isEnded(id));
    await ageFailure(200);
    receiver.answers = [{ status: 503 }];
    await node.call("alerts.publish", { events: events(1) });
    await until(async () => (await log(id))[0]?.answer !== null);
    const { status, failingSince } = await node.call("alerts.webhook", { id }, TEAM);
    assert.deepEqual([status, (await log(id))[0]?.status], ["active", "queued"]);
    assert.ok(failingSince);
    const url = receiver.url("/other");
    const changed = await node.call("alerts.changeWebhook", { id, body: { url } }, TEAM);
    assert.equal(changed.failingSince, null);
  });

  it("is paused at once if its receiver is gone", async () => {
    receiver.answers = [{ status: 410 }];
    const { id } = await create();
    await node.call("alerts.publish", { events: events(1) });
    await until(() => isEnded(id));
    assert.equal((await node.call("alerts.webhook", { id }, TEAM)).pausedBecause, "gone");
  });

  it("signs with both secrets after a rotation, and shows a secret only once", async () => {
    const { id, secret } = await create();
    const next = await node.call("alerts.rotateWebhookSecret", { id, overlapHours: 1 }, TEAM);
    await node.call("alerts.testWebhook", { id }, TEAM);
    await until(() => receiver.received.length === 1);
    const [{ body, headers } = assert.fail()] = receiver.received;
    const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    for (const key of [secret, next.secret]) new Verifier(key).verify(body, sent);
    assert.equal(JSON.parse(body).type, "webhook.test");
    const stored = JSON.stringify(await node.em().execute("select * from alerts.webhook"));
    const read = JSON.stringify(await node.call("alerts.webhook", { id }, TEAM));
    for (const key of [secret, next.secret, receiver.url("/in")]) assert.ok(!stored.includes(key));
    for (const key of [secret, next.secret]) assert.ok(!read.includes(key));
  });

  it("attempts a test once, also while it is paused", async () => {
    receiver.answers = [{ status: 500 }];
    const { id } = await create();
    await node.call("alerts.changeWebhook", { id, body: { status: "paused" } }, TEAM);
    await node.call("alerts.testWebhook", { id }, TEAM);
    await until(() => isEnded(id));
    const [tested] = await log(id);
    assert.deepEqual([tested?.status, tested?.attempts], ["failed", 1]);
    const { pausedBecause, failingSince } = await node.call("alerts.webhook", { id }, TEAM);
    assert.deepEqual([pausedBecause, failingSince], ["member", null]);
  });

  it("gets the alerts of monitors as events of their documented form", async () => {
    const types: EventType[] = ["monitor.changed", "monitor.down", "monitor.recovered"];
    await create({ events: types });
    const down = {
      kind: "down",
      reason: "It answers 500.",
      routes: ["/"],
      isWhole: true,
      regressions: [],
    } as const;
    await node.report("mon_1", {}, changedPages("/a", "/b"));
    await node.report("mon_1", {}, { ...down, routes: ["/"], regressions: [] });
    await node.report("mon_1", {}, { kind: "ok" });
    await until(() => receiver.received.length === 3);
    for (const [index, body] of bodies().entries()) eventBody(types[index] ?? "webhook.test").parse(body);
    assert.deepEqual(
      bodies().map(({ type }) => type),
      types,
    );
    assert.deepEqual(bodies()[0].data.changedPages, 2);
  });

  it("belongs to its team, which can have 20", async () => {
    const { id } = await create();
    const other = "team_of_mon_2";
    const refused = { type: "not_found" };
    await assert.rejects(node.call("alerts.webhook", { id }, other), refused);
    await assert.rejects(
      node.call("alerts.changeWebhook", { id, body: { status: "paused" } }, other),
      refused,
    );
    await assert.rejects(node.call("alerts.deleteWebhook", { id }, other), refused);
    await assert.rejects(node.call("alerts.rotateWebhookSecret", { id, overlapHours: 0 }, other), refused);
    await assert.rejects(node.call("alerts.testWebhook", { id }, other), refused);
    await assert.rejects(node.call("alerts.deliveries", { id, query: { limit: 1 } }, other), refused);
    const { id: delivery } = await node.call("alerts.testWebhook", { id }, TEAM);
    await assert.rejects(node.call("alerts.delivery", { id, delivery }, other), refused);
    await assert.rejects(node.call("alerts.replayDelivery", { id, delivery }, other), refused);
    await node.call("alerts.publish", { events: events(1, { teamId: other }) });
    assert.equal((await log(id)).length, 1);
    for (let count = 1; count < WEBHOOK_BOUNDS.perTeam; count++) await create();
    await assert.rejects(create(), { type: "conflict" });
  });

  it("is refused at private addresses and without TLS", async () => {
    for (const url of ["https://10.0.0.1/in", "https://[::1]/in", "http://example.com/in"])
      await assert.rejects(create({ url }), { type: "invalid_request" });
  });

  it("isn't resumed without TLS, as an imported one could be", async () => {
    const { id } = await create();
    const webhook = await findWebhook(node.em(), TEAM, id);
    assert.ok(webhook);
    const target = { ...webhook.target, url: "http://example.com/in" };
    await updateWebhook(node.em(), { ...webhook, target, status: "paused" });
    const change = (body: ChangeWebhook) => node.call("alerts.changeWebhook", { id, body }, TEAM);
    await assert.rejects(change({ status: "active" }), { type: "invalid_request" });
    assert.equal((await change({ description: "Imported" })).status, "paused");
    assert.equal((await change({ status: "active", url: receiver.url("/in") })).status, "active");
  });

  it("doesn't reach a private address that its name resolves to later", async () => {
    const name = "hooks.rebound.example";
    const dns = await DnsServer.start({ [name]: [["127.0.0.1"], ["169.254.169.254"], ["::1"]] });
    const { id } = await create();
    await node.call("alerts.testWebhook", { id }, TEAM);
    await until(() => isEnded(id));
    assert.equal(receiver.received.length, 1);
    const [delivery] = await log(id);
    // The name had a public address when the webhook was created.
    const url = receiver.url("/in").replace("localhost", name);
    const webhook = await findWebhook(node.em(), TEAM, id);
    assert.ok(webhook && delivery);
    await updateWebhook(node.em(), { ...webhook, target: { ...webhook.target, url } });
    const details: string[] = [];
    const attempt = () =>
      deliverEvent(
        () => node.em(),
        {
          ...{ id: delivery.id, teamId: TEAM, monitorId: null, channel: "event", kind: "webhook.test" },
          ...{ target: null, payload: {}, attempts: 1, ageMs: 0 },
        },
        { policy: addressPolicy([]), onUnresolved: detail => details.push(detail), resolve: dns.resolve },
        new AbortController().signal,
      );
    for (let count = 0; count < 3; count++) assert.equal((await attempt()).kind, "retry");
    await dns.close();
    assert.equal(dns.answered.length, 3);
    assert.match(details.join(" "), /loopback.*link-local.*loopback/);
    assert.equal(receiver.received.length, 1);
  });

  it("is noted in the team's activity, and deleted with its team", async () => {
    const { id } = await create();
    await node.call("alerts.rotateWebhookSecret", { id, overlapHours: 0 }, TEAM);
    const noted = node.noted.filter(({ target }) => target === id).map(({ type }) => type);
    assert.deepEqual(noted, ["webhook.created", "webhook.rotated"]);
    assert.ok(!JSON.stringify(node.noted).includes(receiver.url("/in")));
    node.gone.add(TEAM);
    await deleteAllGone({ em: () => node.em(), bus: node.broker });
    node.gone.delete(TEAM);
    assert.deepEqual((await node.call("alerts.webhooks", {}, TEAM)).data, []);
  });

  it("loses deliveries from its log after 30 days", async () => {
    const { id } = await create();
    await node.call("alerts.publish", { events: events(2) });
    await until(() => isEnded(id));
    await node
      .em()
      .execute(`update alerts.notification set ended_at = now() - make_interval(days => ?) where id = ?`, [
        WEBHOOK_BOUNDS.retentionDays + 1,
        (await log(id))[1]?.id ?? "",
      ]);
    await prune({ em: () => node.em() });
    assert.equal((await log(id)).length, 1);
  });
});
