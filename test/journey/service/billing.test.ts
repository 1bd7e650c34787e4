import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import { billingView, type PaidPlan, paymentPage } from "../../../shared/contracts/billing/billing.ts";
import { usage } from "../../../shared/contracts/billing/usage.ts";
import { submittedRun } from "../../../shared/contracts/runs/submit-run.ts";
import { activityList, createdTeam, memberList } from "../../../shared/contracts/teams/people.ts";
import { BrowserClient as Browser } from "../../support/drivers/browser/browser-client.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { CodeHostServer } from "../../support/fakes/code-host/code-host.ts";
import { PRICES } from "../../support/fakes/payment-account.ts";
import type { ServedSubscription } from "../../support/fakes/payment-records.ts";
import { PaymentServer } from "../../support/fakes/payment-server.ts";
import { problemOf } from "../../support/formats/problem.ts";

describe("A team that pays", () => {
  let payments: PaymentServer;
  let host: CodeHostServer;
  let vrs: Vrs;
  let teamId: string;
  let key: string;
  let subscription: ServedSubscription;
  let anna: Browser;
  let bert: Browser;

  before(async () => {
    [payments, host] = await Promise.all([PaymentServer.start(), CodeHostServer.start()]);
    vrs = await Vrs.start({ ...payments.env, ...host.env });
    const team = createdTeam.parse(await (await vrs.post("/v1/teams", { name: "Payers" })).json());
    teamId = team.id;
    key = team.key ?? "";
  });
  after(async () => {
    await vrs?.stop();
    await payments?.close();
    await host?.close();
  });

  const post = (path: string, body: object = {}) =>
    vrs.postTo(vrs.baseUrl, path, body, { Authorization: `Bearer ${key}` });
  const get = async (path: string) => {
    const answer = await fetch(`${vrs.baseUrl}${path}`, { headers: { Authorization: `Bearer ${key}` } });
    assert.equal(answer.status, 200, await answer.clone().text());
    return answer.json();
  };
  const billing = async () => billingView.strict().parse(await get("/v1/billing"));
  const used = async () => usage.strict().parse(await get("/v1/usage"));
  const checkout = async (plan: PaidPlan) =>
    paymentPage.parse(await (await post("/v1/billing/checkout", { plan })).json());
  const deliver = (body: string, signature?: string) =>
    fetch(`${vrs.baseUrl}/billing/webhook`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        ...(signature !== undefined && { "Stripe-Signature": signature }),
      },
      body,
    });
  const tell = async (type: "created" | "updated" | "deleted", facts: Partial<ServedSubscription> = {}) => {
    const { body, signature } = payments.subscriptionEvent(type, Object.assign(subscription, facts));
    const answer = await deliver(body, signature);
    assert.deepEqual([answer.status, await answer.json()], [200, { received: true, applied: true }]);
  };

  it("has no subscription at first, and the service's own team needs none", async () => {
    const { enabled, plan, status } = await billing();
    assert.deepEqual([enabled, plan, status], [true, "free", "none"]);
    assert.deepEqual((await used()).runs, { used: 0, limit: 50 });
    const own = usage.parse(await (await vrs.request("/v1/usage")).json());
    assert.equal(own.plan, "business");
    await problemOf(await vrs.post("/v1/billing/checkout", { plan: "pro" }), "conflict");
    await problemOf(await post("/v1/billing/portal"), "conflict");
    for (const plan of ["free", "gold", undefined])
      await problemOf(await post("/v1/billing/checkout", { plan }), "invalid_request");
  });

  it("is notified at 80 percent of its allowance, also in its activity", async () => {
    const routes = Array.from({ length: 40 }, (_, index) => `/${index}`);
    const viewports = Array.from({ length: 10 }, (_, index) => 320 + index);
    const answer = await post("/v1/run", { url: "http://localhost:1024", routes, viewports });
    assert.equal(answer.status, 202, await answer.clone().text());
    const noticed = async () =>
      activityList.parse(await get(`/v1/teams/${teamId}/activity?type=usage.noticed`)).data;
    await until(async () => (await noticed()).length > 0);
    const [{ actor, target, details } = assert.fail()] = await noticed();
    assert.deepEqual(
      [actor.kind, target, details.percent, details.used],
      ["service", "screenshots", 80, 400],
    );
    const { id } = submittedRun.parse(await answer.json());
    assert.equal((await post(`/v1/runs/${id}/cancel`)).status, 200);
  });

  it("has the plan as soon as the provider reports the payment", async () => {
    const { url } = await checkout("pro");
    const open = payments.openCheckout(teamId);
    assert.equal(url, `${payments.url}/pay/${open.id}`);
    assert.equal(open.form.success_url, `${vrs.baseUrl}/billing?checkout=done`);
    subscription = payments.pay(open);
    assert.equal((await used()).plan, "free");
    await tell("created");
    const { plan, runs, members, retentionDays } = await used();
    assert.deepEqual([plan, runs.limit, members.limit, retentionDays], ["pro", 500, 10, 30]);
    assert.equal((await billing()).status, "active");
    await problemOf(await post("/v1/billing/checkout", { plan: "pro" }), "conflict");
    assert.match((await checkout("business")).url, /\/portal\//);
  });

  it("keeps the plan whatever unsigned events arrive", async () => {
    const { body, signature } = payments.subscriptionEvent("deleted", {
      ...subscription,
      status: "canceled",
    });
    const cases: [status: number, body: string, signature?: string][] = [
      [400, body],
      [400, body, "t=1,v1=00"],
      [400, JSON.stringify(JSON.parse(body)), signature],
      [400, `${body} `, signature],
      [413, " ".repeat(1024 * 1024 + 1), signature],
    ];
    for (const [status, sent, header] of cases) {
      const answer = await deliver(sent, header);
      assert.equal(answer.status, status);
      if (status === 400) assert.match(await answer.text(), /^\{"error":"[^"]+"\}$/);
    }
    const old = payments.subscriptionEvent("deleted", subscription, { ageS: 600 });
    assert.equal((await deliver(old.body, old.signature)).status, 400);
    assert.equal((await used()).plan, "pro");
  });

  it("has seats for more members with their roles", async () => {
    const add = [
      { login: "anna", role: "admin" },
      { login: "bert", role: "reviewer" },
    ];
    assert.equal((await post("/v1/teams", { teamId, add })).status, 200);
    [anna, bert] = [new Browser(vrs.baseUrl), new Browser(vrs.baseUrl)];
    for (const [index, [login, browser]] of Object.entries({ anna, bert }).entries()) {
      const account = { id: index + 1, login, name: null, emails: [] };
      assert.equal((await browser.signIn(host, account)).status, 302);
    }
    const { team } = await bert.session();
    assert.deepEqual([team?.role, team?.readOnlyBecause], ["reviewer", null]);
    const page = paymentPage.parse(await (await anna.post("/v1/billing/portal", {})).json());
    assert.match(page.url, /\/portal\//);
    await problemOf(await bert.post("/v1/billing/portal", {}), "forbidden");
    assert.equal((await bert.get("/v1/billing")).status, 200);
  });

  it("keeps a canceled plan exactly to the end of its paid period", async () => {
    await tell("updated", { cancelAtPeriodEnd: true });
    const { plan, cancelsAt } = await billing();
    assert.deepEqual([plan, cancelsAt], ["pro", new Date(subscription.periodEnd * 1_000).toISOString()]);
    await tell("deleted", { status: "canceled" });
    const free = await used();
    assert.deepEqual([free.plan, free.members, free.retentionDays], ["free", { used: 2, limit: 1 }, 30]);
    assert.notEqual((await billing()).historyKeptUntil, null);
  });

  it("keeps members read-only after a downgrade, and gives the reason", async () => {
    await until(async () => (await bert.session()).team?.role === "viewer");
    const why = /more members than the 1 that its plan allows/;
    assert.match((await bert.session()).team?.readOnlyBecause ?? "", why);
    const { detail } = await problemOf(
      await bert.post("/v1/run", { url: "http://localhost:1024" }),
      "forbidden",
    );
    assert.match(detail, why);
    assert.equal((await bert.get("/v1/runs")).status, 200);
    assert.equal((await anna.session()).team?.role, "admin");
    const { data } = memberList.parse(await get(`/v1/teams/${teamId}/members`));
    assert.deepEqual(
      data.map(({ login, role, readOnlyBecause }) => [login, role, readOnlyBecause === null]),
      [
        ["anna", "admin", true],
        ["bert", "reviewer", false],
      ],
    );
  });

  it("gets everything back with another subscription", async () => {
    await checkout("business");
    subscription = payments.pay(payments.openCheckout(teamId));
    await tell("created");
    assert.equal(subscription.price, PRICES.business);
    assert.equal((await used()).members.limit, 50);
    await until(async () => (await bert.session()).team?.role === "reviewer");
    const { data } = activityList.parse(await get(`/v1/teams/${teamId}/activity?actor=billing`));
    const changes = data.filter(({ type }) => type === "plan.changed");
    assert.deepEqual(changes.map(({ target, details }) => [details.was, target]).reverse(), [
      ["free", "pro"],
      ["pro", "free"],
      ["free", "business"],
    ]);
  });

  it("sends valid requests to the provider, and logs no secret", () => {
    assert.deepEqual(payments.invalidRequests, []);
    for (const secret of payments.secrets) assert.ok(!vrs.output.includes(secret));
  });
});
