import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "mocha";
import { type Service, ServiceBroker, type ServiceSchema } from "moleculer";
import type { EntityManager, WithDatabase } from "../../../mixins/database.ts";
import { brokerOptions } from "../../../moleculer.config.ts";
import { loadConfig } from "../../../shared/config.ts";
import { usage } from "../../../shared/contracts/billing/usage.ts";
import { service } from "../../../shared/contracts/bus.ts";
import { type CheckView, checkList, checkView } from "../../../shared/contracts/monitors/checks.ts";
import { monitorView } from "../../../shared/contracts/monitors/monitors.ts";
import { activityList } from "../../../shared/contracts/teams/people.ts";
import { SERVICE_NAMES } from "../../../shared/environment/variables.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import { ApiAccess } from "../../support/drivers/api-access.ts";
import { freePort } from "../../support/drivers/free-port.ts";
import { until } from "../../support/drivers/until.ts";
import { type Page, Site } from "../../support/fixtures/site.ts";
import { HttpReceiver } from "../../support/servers/http/http-receiver.ts";
import { MailServer } from "../../support/servers/mail-server.ts";

const page = (text: string): string =>
  `<!doctype html><title>Shop</title><body style="margin:0"><h1>${text}</h1><p>${"Things to buy. ".repeat(40)}</p>`;
let loads = 0;
/** A page that differs on each load, and requires the header. */
const restless: Page = ({ headers }, res) => {
  const isKnown = headers["x-preview"] === "let me in";
  loads += 1;
  const offer = `<div class="offer" style="height:200px;background:hsl(${(loads * 70) % 360} 90% 40%)"></div>`;
  res.writeHead(isKnown ? 200 : 401, { "Content-Type": "text/html" }).end(page(`Shop ${offer}`));
};
const broken: Page = (_req, res) =>
  void res.writeHead(500, { "Content-Type": "text/html" }).end("<h1>Oops</h1>");

/** The whole service in this process, with a real browser. */
class Alone extends ApiAccess {
  readonly baseUrl: string;
  em: () => EntityManager = () => assert.fail("not started");
  readonly #broker: ServiceBroker;

  constructor(folder: string, port: number, env: Record<string, string>) {
    super();
    this.baseUrl = `http://localhost:${port}`;
    const config = loadConfig({
      // The tests send many requests.
      SERVICE_RATE_LIMIT: "1000000",
      ...env,
      PORT: String(port),
      SERVICE_DATA_DIR: folder,
      SERVICE_BOOTSTRAP_KEY: this.key,
      SERVICE_ALLOW_HOSTS: "localhost",
      LOG_LEVEL: "fatal",
    });
    this.#broker = new ServiceBroker(brokerOptions(config));
  }

  async start(): Promise<void> {
    const alone = this;
    for (const name of new Set<string>(SERVICE_NAMES)) {
      const { default: schema }: { default: ServiceSchema } = await import(
        `../../../services/${name}/${name}.service.ts`
      );
      const watched = service<Service & WithDatabase>({
        name,
        mixins: [schema],
        async started() {
          if (name === "monitors") alone.em = () => this.em();
        },
      });
      this.#broker.createService(name === "monitors" ? watched : schema);
    }
    await this.#broker.start();
  }

  stop(): Promise<void> {
    return this.#broker.stop();
  }
}

describe("A monitor of a site that changes, breaks and recovers", () => {
  let folder: string;
  let vrs: Alone;
  let site: Site;
  let mails: MailServer;
  let receiver: HttpReceiver;
  let id: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-monitors-"));
    site = await Site.start({ "/": page("Shop"), "/cart": page("Cart") });
    mails = await MailServer.start();
    receiver = await HttpReceiver.start();
    vrs = new Alone(folder, await freePort(), mails.env);
    await vrs.start();
  });
  after(async () => {
    await vrs?.stop();
    await Promise.all([site?.stop(), mails?.close(), receiver?.close()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const read = async () => monitorView.strict().parse(await (await vrs.request(`/v1/monitors/${id}`)).json());
  const history = async () =>
    checkList.parse(await (await vrs.request(`/v1/monitors/${id}/history`)).json()).data;
  const ended = async (checkId: string): Promise<CheckView> => {
    let check: CheckView | undefined;
    await until(async () => {
      check = (await history()).find(known => known.id === checkId);
      return check?.endedAt != null;
    });
    return check ?? assert.fail();
  };
  const run = async () => {
    const answer = await vrs.post(`/v1/monitors/${id}/run`, {});
    assert.equal(answer.status, 202, await answer.clone().text());
    return ended(checkView.strict().parse(await answer.json()).id);
  };

  /** Waits until the webhook received these events. */
  const isTold = (...types: string[]) =>
    until(async () => {
      const told = receiver.received.map(({ headers }) => headers["vrs-event"]);
      const subjects = mails.to("owner@example.com");
      if (told.length < types.length || subjects.length < types.length) return false;
      assert.deepEqual(told, types);
      assert.equal(subjects.length, types.length);
      return true;
    });

  it("is checked on schedule, and its first screenshot becomes the baseline", async () => {
    const answer = await vrs.post("/v1/monitors", {
      name: "Shop",
      url: site.url,
      routes: ["/", "/cart"],
      viewports: [400, 800],
      alerts: {
        email: ["owner@example.com"],
        webhook: { url: receiver.url("/hook"), secret: "a-secret-of-the-receiver" },
      },
    });
    assert.equal(answer.status, 201, await answer.clone().text());
    const made = monitorView.strict().parse(await answer.json());
    ({ id } = made);
    assert.deepEqual([made.status, made.scheduled], ["never", true]);
    await vrs.em().execute("update monitors.monitor set next_at = now() where id = ?", [id]);
    await until(async () => (await read()).lastCheck !== null);
    const { status, lastCheck, uptime } = await read();
    assert.deepEqual(
      [status, lastCheck?.outcome, lastCheck?.kind, uptime],
      ["ok", "established", "scheduled", 1],
    );
  });

  it("is unchanged at the next check", async () => {
    const check = await run();
    assert.deepEqual([check.outcome, check.kind, check.attempts], ["ok", "manual", 1]);
    assert.deepEqual(
      check.drift.map(({ route, viewport, ratio }) => [route, viewport, ratio]),
      [
        ["/", 400, 0],
        ["/", 800, 0],
        ["/cart", 400, 0],
        ["/cart", 800, 0],
      ],
    );
  });

  it("is changed, and a second attempt confirms it before an alert is sent", async () => {
    site.pages.set("/cart", page("Cart").replace("margin:0", "margin:0;background:#fc0"));
    const check = await run();
    assert.deepEqual([check.outcome, check.attempts], ["changed", 2]);
    const changed = check.drift.filter(({ state }) => state === "changed");
    assert.deepEqual(
      changed.map(({ route, viewport }) => `${route}@${viewport}`),
      ["/cart@400", "/cart@800"],
    );
    assert.ok(changed.every(({ ratio }) => ratio !== null && ratio > 0.5));
    await isTold("monitor.changed");
    assert.match(mails.only("owner@example.com").mail.subject ?? "", /Shop: \/cart/);
    assert.match(receiver.received[0]?.body ?? "", new RegExp(`"runId":"${check.runId}"`));
    assert.ok((await fetch(check.report)).ok, "the report opens by its link");
  });

  it("gets one alert while it stays changed", async () => {
    assert.equal((await run()).outcome, "changed");
    assert.ok((await read()).alertingSince);
    await isTold("monitor.changed");
  });

  it("recovers at once when the change is approved", async () => {
    const [last] = await history();
    const answer = await vrs.post(`/v1/baselines/${last?.runId}/approve`, {});
    assert.equal(answer.status, 200);
    await until(async () => (await read()).status === "ok");
    await isTold("monitor.changed", "monitor.recovered");
    assert.equal((await run()).outcome, "ok");
  });

  it("is down, and not changed, while a page responds with an error", async () => {
    site.pages.set("/", broken);
    const check = await run();
    assert.deepEqual([check.outcome, check.attempts], ["down", 2]);
    assert.match(check.error ?? "", /returned status 500/);
    assert.equal((await read()).status, "down");
    await isTold("monitor.changed", "monitor.recovered", "monitor.down");
  });

  it("recovers", async () => {
    site.pages.set("/", page("Shop"));
    assert.equal((await run()).outcome, "ok");
    const { status, uptime } = await read();
    assert.deepEqual([status, uptime], ["ok", 6 / 7]);
    await isTold("monitor.changed", "monitor.recovered", "monitor.down", "monitor.recovered");
  });

  it("has an uptime, and its actions are in the activity", async () => {
    const used = usage.parse(await (await vrs.request("/v1/usage")).json());
    assert.deepEqual(used.monitors, { used: 1, limit: null });
    const path = `/v1/teams/${DEFAULT_TEAM_ID}/activity`;
    const { data } = activityList.parse(await (await vrs.request(path)).json());
    const types = data.map(({ type, actor }) => `${type} by a ${actor.kind}`);
    assert.ok(types.includes("monitor.created by a key"), `${types}`);
    assert.ok(types.includes("run.approved by a service"), `${types}`);
    assert.ok(types.includes("run.approved by a key"), `${types}`);
  });

  it("masks regions and sends headers once they are configured", async () => {
    site.pages.set("/offers", restless);
    const body = {
      name: "Offers",
      url: site.url,
      routes: ["/offers"],
      options: { headers: { "X-Preview": "x" } },
    };
    const made = monitorView.strict().parse(await (await vrs.post("/v1/monitors", body)).json());
    ({ id } = made);
    assert.deepEqual(made.options, { headers: ["X-Preview"] });
    assert.equal((await run()).outcome, "down");
    const change = (options: object) =>
      vrs.request(`/v1/monitors/${id}`, {
        method: "PATCH",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ options }),
      });
    await change({ headers: { "X-Preview": "let me in" } });
    assert.equal((await run()).outcome, "established");
    assert.equal((await run()).outcome, "changed");
    await change({ hide: [".offer"] });
    const hidden = await run();
    assert.equal(hidden.outcome, "changed");
    assert.equal((await vrs.post(`/v1/baselines/${hidden.runId}/approve`, {})).status, 200);
    assert.equal((await run()).outcome, "ok");
    const refused = await change({ hide: [""] });
    assert.equal(refused.status, 422);
    assert.match(await refused.text(), /options\.hide\[0\]/);
  });
});
