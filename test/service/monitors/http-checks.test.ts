import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay, setImmediate } from "node:timers/promises";
import { after, before, beforeEach, describe, it } from "mocha";
import { ServiceBroker } from "moleculer";
import { brokerOptions } from "../../../moleculer.config.ts";
import { runHttpChecks } from "../../../services/monitors/http/run-http-checks.ts";
import { endStoppedHttpChecks } from "../../../services/monitors/http/stop-http-checks.ts";
import { pruneChecks } from "../../../services/monitors/recovery-sweep.ts";
import { probePage } from "../../../services/renderer/probe-page.ts";
import renderer from "../../../services/renderer/renderer.service.ts";
import { listRenderers, probeFrom } from "../../../shared/broker/renderers.ts";
import { addressPolicy } from "../../../shared/capture/network/address-guard.ts";
import { NameLookups } from "../../../shared/capture/network/name-lookups.ts";
import { loadConfig } from "../../../shared/config.ts";
import type {
  HttpSettings,
  ProbeRequest,
  ProbeResult,
} from "../../../shared/contracts/monitors/http-checks.ts";
import type { ChangeMonitor } from "../../../shared/contracts/monitors/monitors.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import type { MonitorTestContext } from "../../support/contexts/monitor-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { useMonitors } from "../../support/drivers/monitor-driver.ts";
import { until } from "../../support/drivers/until.ts";

/** A site whose pages respond as a test decides. */
class PlainSite {
  readonly #server: Server;
  status = 200;
  body: string | Buffer = "<p>Add to cart</p>";
  type = "text/html";
  /** Where `/moved` leads. */
  target = "/";
  readonly headers: (string | undefined)[] = [];
  readonly connections: Socket[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<PlainSite> {
    const server = createServer((req, res) => {
      site.headers.push(req.headers["x-preview"]?.toString());
      if (req.url === "/moved") return void res.writeHead(302, { Location: site.target }).end();
      if (req.url === "/silent") return;
      if (req.url === "/endless") return void res.writeHead(200).write("<p>Soon");
      if (req.url === "/parted") return void sendBytes(res.writeHead(200), "<p>Coffee for €3</p>");
      res.writeHead(site.status, { "Content-Type": site.type }).end(site.body);
    });
    const site = new PlainSite(server);
    server.on("connection", socket => site.connections.push(socket));
    await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
    return site;
  }

  get url(): string {
    // biome-ignore lint/plugin: a server that listens on a port.
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

async function sendBytes(res: ServerResponse, body: string): Promise<void> {
  for (const byte of Buffer.from(body)) {
    res.write(Buffer.of(byte));
    await setImmediate();
  }
  res.end();
}

const LOCAL = addressPolicy(["localhost"]);
const ask = (url: string, more: Partial<ProbeRequest> = {}): ProbeRequest => ({
  ...{ url, headers: {}, requiredText: null },
  ...more,
});

/** Probes a page of a node that isn't busy. */
const probe = async (...asked: Parameters<typeof probePage>): Promise<ProbeResult> =>
  (await probePage(...asked)) ?? assert.fail("It says nothing about the page.");

describe("A probe of a page", () => {
  let site: PlainSite;
  before(async () => {
    site = await PlainSite.start();
  });
  after(() => site?.close());

  it("returns the status, the time, and whether the text is there, after redirects", async () => {
    const found = await probe(ask(`${site.url}/moved`, { requiredText: "Add to cart" }), LOCAL);
    assert.deepEqual([found.status, found.error, found.hasText], [200, null, true]);
    assert.ok((found.ms ?? -1) >= 0);
    const other = await probe(ask(site.url, { requiredText: "Sold out" }), LOCAL);
    assert.equal(other.hasText, false);
    // A body arrives in parts, which can end within the text, and within a character of it.
    const parted = await probe(ask(`${site.url}/parted`, { requiredText: "Coffee for €3" }), LOCAL);
    assert.equal(parted.hasText, true);
    for (const type of ["text/html; charset=windows-1252", 'text/html; charset="ISO-8859-1"']) {
      site.type = type;
      site.body = Buffer.from("<p>Café au lait</p>", "latin1");
      assert.equal((await probe(ask(site.url, { requiredText: "Café au" }), LOCAL)).hasText, true, type);
    }
    for (const type of ["text/html", "text/html; charset=unknown"]) {
      site.type = type;
      site.body = Buffer.from("<p>Café au lait</p>");
      assert.equal((await probe(ask(site.url, { requiredText: "Café au" }), LOCAL)).hasText, true, type);
    }
    site.target = "/moved";
    assert.match((await probe(ask(`${site.url}/moved`), LOCAL)).error ?? "", /redirects more than 5 times/);
  });

  it("sends headers to the first origin only, and follows no redirect to a private network", async () => {
    await using other = await PlainSite.start().then(made => ({
      made,
      [Symbol.asyncDispose]: async () => made.close(),
    }));
    site.target = other.made.url;
    site.headers.length = 0;
    await probe(ask(`${site.url}/moved`, { headers: { "x-preview": "secret" } }), LOCAL);
    assert.deepEqual([site.headers, other.made.headers], [["secret"], [undefined]]);
    site.target = "http://127.0.0.1:1/";
    const refused = await probe(ask(`${site.url}/moved`), LOCAL);
    assert.equal(refused.status, null);
    assert.ok(refused.error);
    site.target = "file:///etc/passwd";
    assert.match((await probe(ask(`${site.url}/moved`), LOCAL)).error ?? "", /not http or https/);
  });
});

describe("A probe that runs out of time", () => {
  let site: PlainSite;
  before(async () => {
    site = await PlainSite.start();
  });
  after(() => site?.close());

  it("ends while the name is looked up, and closes the connection that comes later", async () => {
    const answer = Promise.withResolvers<string[]>();
    const options = { timeoutMs: 100, names: new NameLookups(() => answer.promise) };
    const found = await probe(ask(site.url), LOCAL, options);
    assert.deepEqual(found, {
      ...{ status: null, ms: null, hasText: null },
      error: "The page did not respond within 0.1 seconds.",
    });
    answer.resolve(["127.0.0.1"]);
    await until(() => site.connections.length === 1);
    await until(() => site.connections.every(({ destroyed }) => destroyed));
    assert.deepEqual(site.headers, []);
  });

  it("ends without a response, and without the rest of a body", async () => {
    const silent = await probe(ask(`${site.url}/silent`), LOCAL, { timeoutMs: 100 });
    assert.match(silent.error ?? "", /did not respond within/);
    const asked = ask(`${site.url}/endless`, { requiredText: "Sold out" });
    const endless = await probe(asked, LOCAL, { timeoutMs: 300 });
    assert.match(endless.error ?? "", /did not respond within/);
  });
});

describe("A probe whose node looks up names that don't resolve", () => {
  let site: PlainSite;
  let dead: Map<string, PromiseWithResolvers<string[]>>;
  let names: NameLookups;
  before(async () => {
    site = await PlainSite.start();
  });
  after(() => site?.close());
  beforeEach(() => {
    dead = new Map();
    names = new NameLookups(async host => {
      if (host === "localhost") return ["127.0.0.1"];
      const lookup = Promise.withResolvers<string[]>();
      dead.set(host, lookup);
      return lookup.promise;
    });
  });
  const start = (host: string) => probePage(ask(`http://${host}/`), LOCAL, { timeoutMs: 400, names });
  const end = () => {
    for (const lookup of dead.values()) lookup.resolve([]);
  };

  it("shares one lookup with all probes of a name, so that others aren't delayed", async () => {
    const probes = Array.from({ length: 20 }, () => start("dead.example"));
    const found = await probe(ask(site.url), LOCAL, { timeoutMs: 400, names });
    assert.equal(found.status, 200);
    for (const slow of await Promise.all(probes)) assert.match(slow?.error ?? "", /did not respond within/);
    end();
  });

  it("says nothing about its page if its lookup doesn't start in time", async () => {
    const probes = ["dead.example", "gone.example"].map(start);
    const found = await probePage(ask(site.url), LOCAL, { timeoutMs: 400, names });
    assert.equal(found, null);
    for (const slow of await Promise.all(probes)) assert.match(slow?.error ?? "", /did not respond within/);
    end();
  });

  it("doesn't count the wait as response time", async () => {
    const probes = ["dead.example", "gone.example"].map(start);
    const waiting = probe(ask(site.url), LOCAL, { timeoutMs: 4_000, names });
    await delay(500);
    end();
    const { status, ms } = await waiting;
    assert.equal(status, 200);
    assert.ok((ms ?? 500) < 450, `${ms} ms`);
    await Promise.all(probes);
  });
});

describe("Renderer nodes with regions", () => {
  const brokers: ServiceBroker[] = [];
  const node = async (nodeID: string, region: string | null, answer: unknown) => {
    const metadata = { region, renderConcurrency: answer === null ? 0 : 1 };
    const options = { nodeID, namespace: "regions", transporter: "Fake", logger: false, metadata } as const;
    const broker = new ServiceBroker(options);
    if (answer !== null) broker.createService({ name: "renderer", actions: { probe: () => answer } });
    brokers.push(broker);
    await broker.start();
    return broker;
  };
  after(async () => {
    for (const broker of brokers) await broker.stop();
  });

  it("are asked by their region, and an answer of another shape counts as none", async () => {
    const result = (status: number) => ({ status, ms: 1, error: null, hasText: null });
    const core = await node("core", null, null);
    await node("eu", "eu-west", result(201));
    await node("us", "us-east", result(202));
    await node("forged", "ap-south", { status: "<b>", ms: -1 });
    await node("odd", "<script>", result(203));
    await until(() => listRenderers(core).length === 4);
    const statusFrom = async (region: string) =>
      (await probeFrom(core, region, ask("http://x")))?.status ?? null;
    assert.deepEqual(
      [
        await statusFrom("eu-west"),
        await statusFrom("us-east"),
        await statusFrom("ap-south"),
        await statusFrom("<script>"),
      ],
      [201, 202, null, null],
    );
    assert.equal(await statusFrom("nowhere"), null);
  });
});

describe("A renderer node", () => {
  let site: PlainSite;
  let folder: string;
  let broker: ServiceBroker;
  before(async () => {
    site = await PlainSite.start();
    folder = await mkdtemp(join(tmpdir(), "vrs-probes-"));
    const env = { SERVICE_DATA_DIR: folder, SERVICE_ALLOW_HOSTS: "localhost", LOG_LEVEL: "fatal" };
    broker = new ServiceBroker(brokerOptions(loadConfig(env)));
    broker.createService(renderer);
    await broker.start();
  });
  after(async () => {
    site?.close();
    await broker?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("probes a page while hundreds of others don't respond", async () => {
    const silent = Array.from({ length: 250 }, () =>
      broker.call("renderer.probe", ask(`${site.url}/silent`)),
    );
    await until(() => site.headers.length === silent.length);
    const found = await broker.call<ProbeResult, ProbeRequest>("renderer.probe", ask(site.url));
    assert.equal(found.status, 200);
    site.close();
    await Promise.all(silent);
  });
});

for (const database of MAIN_DATABASES)
  describe(`HTTP checks of monitors, on ${database.name}`, () => {
    let context: MonitorTestContext;
    let site: PlainSite;
    /** Regions that can't reach the site. */
    const cutOff = new Set<string>();
    /** Regions without a node. */
    const missing = new Set<string>();
    useMonitors(database, started => {
      context = started;
    });
    before(async () => {
      site = await PlainSite.start();
    });
    after(() => site?.close());
    beforeEach(() => {
      cutOff.clear();
      missing.clear();
      site.status = 200;
      context.alerts.isSnoozed = false;
      context.alerts.losesAnswers = false;
      context.monitors.confirmAfterMs = 0;
      context.monitors.probe = async (region, asked) => {
        if (missing.has(region ?? "")) return null;
        return probePage(asked, cutOff.has(region ?? "") ? addressPolicy([]) : LOCAL);
      };
    });

    const REGIONS = ["ap-south", "eu-west", "us-east"];
    const http = (own: Partial<HttpSettings> = {}): HttpSettings => ({
      ...{ maxResponseMs: null, requiredText: null, regions: [], agree: 1 },
      ...own,
    });
    const monitor = async (settings: HttpSettings) => {
      const admin = context.team();
      const { id } = await context.create(admin, {
        name: "Shop",
        url: site.url,
        routes: ["/", "/a"],
        http: settings,
      });
      return { admin, id };
    };
    const checkAgain = async (id: string) => {
      await context.sql(
        "update monitors.http_check set leased_at = now() - interval '1 day' where monitor_id = ?",
        [id],
      );
      await runHttpChecks(context.monitors);
    };
    const reportsOf = ({ teamId }: Caller) =>
      context.alerts.conditions
        .filter(({ monitors }) => monitors[0]?.teamId === teamId)
        .map(({ kind }) => kind);
    const stateOf = async ({ admin, id }: { admin: Caller; id: string }) =>
      (await context.get(admin, id)).httpCheck;

    it("alert once about an error status, show it, and report its end", async () => {
      const made = await monitor(http());
      await runHttpChecks(context.monitors);
      assert.deepEqual([(await stateOf(made))?.outcome, reportsOf(made.admin)], ["ok", []]);
      site.status = 503;
      for (let times = 0; times < 3; times++) await checkAgain(made.id);
      const failing = await stateOf(made);
      assert.deepEqual(
        failing?.regions.map(({ region, pages }) => [
          region,
          pages.map(({ route, status }) => `${route} ${status}`),
        ]),
        [[null, ["/ 503", "/a 503"]]],
      );
      assert.deepEqual(reportsOf(made.admin), ["failing"]);
      assert.match(context.alerts.conditions.at(-1)?.text ?? "", /^\/: The page responded with status 503\./);
      site.status = 200;
      await checkAgain(made.id);
      await checkAgain(made.id);
      assert.deepEqual(reportsOf(made.admin), ["failing", "passing"]);
      const { data } = await context.ask(
        "monitors.httpChecks",
        { id: made.id, query: { limit: 100 } },
        made.admin,
      );
      assert.deepEqual(
        data.map(({ outcome }) => outcome),
        ["ok", "ok", "failing", "failing", "failing", "ok"],
      );
      const page = (cursor?: string) =>
        context.ask("monitors.httpChecks", { id: made.id, query: { limit: 4, cursor } }, made.admin);
      const first = await page();
      const rest = await page(first.nextCursor ?? undefined);
      assert.deepEqual([...first.data, ...rest.data], data);
      assert.equal(rest.nextCursor, null);
    });

    it("request the same URLs as the captures", async () => {
      const made = await monitor(http());
      const asked: string[] = [];
      context.monitors.probe = async (_region, { url }) => {
        asked.push(url);
        return { status: 200, ms: 1, error: null, hasText: null };
      };
      const url = "https://shop.example/status.html?token=1";
      await context.ask("monitors.change", { id: made.id, body: { url } }, made.admin);
      await runHttpChecks(context.monitors);
      assert.deepEqual(asked, [url, "https://shop.example/status.html/a?token=1"]);
    });

    it("alert only if enough regions agree, and list each region", async () => {
      const made = await monitor(http({ regions: REGIONS, agree: 2 }));
      cutOff.add("eu-west");
      await runHttpChecks(context.monitors);
      const state = await stateOf(made);
      assert.deepEqual(
        [state?.outcome, state?.regions.map(({ region, outcome }) => `${region} ${outcome}`)],
        ["ok", ["ap-south ok", "eu-west failing", "us-east ok"]],
      );
      assert.deepEqual(reportsOf(made.admin), []);
      cutOff.add("us-east");
      await checkAgain(made.id);
      assert.deepEqual(reportsOf(made.admin), ["failing"]);
      assert.match(context.alerts.conditions.at(-1)?.text ?? "", /^eu-west: \/: .* us-east: \/: /);
    });

    it("say that a region has no node, and don't end an alert meanwhile", async () => {
      const made = await monitor(http({ regions: REGIONS, agree: 2 }));
      site.status = 500;
      await runHttpChecks(context.monitors);
      assert.deepEqual(reportsOf(made.admin), ["failing"]);
      for (const region of REGIONS) missing.add(region);
      await checkAgain(made.id);
      const state = await stateOf(made);
      assert.deepEqual(
        [state?.outcome, state?.regions.map(({ outcome }) => outcome)],
        ["unknown", ["no_node", "no_node", "no_node"]],
      );
      assert.deepEqual(reportsOf(made.admin), ["failing"]);
    });

    it("check the text and the time, and only a problem that occurs twice counts", async () => {
      const made = await monitor(http({ requiredText: "Add to cart" }));
      await runHttpChecks(context.monitors);
      assert.equal((await stateOf(made))?.outcome, "ok");
      await context.ask(
        "monitors.change",
        { id: made.id, body: { http: http({ requiredText: "Sold out" }) } },
        made.admin,
      );
      await runHttpChecks(context.monitors);
      assert.match((await stateOf(made))?.regions[0]?.pages[0]?.problem ?? "", /“Sold out”/);
      const { probe } = context.monitors;
      let asked = 0;
      context.monitors.probe = async (region, page) =>
        asked++ === 0 ? { status: 500, ms: 1, error: null, hasText: true } : probe(region, page);
      await context.ask("monitors.change", { id: made.id, body: { http: http() } }, made.admin);
      await runHttpChecks(context.monitors);
      assert.deepEqual([(await stateOf(made))?.outcome, asked], ["ok", 4]);
    });

    it("aren't reported if maintenance began meanwhile", async () => {
      const made = await monitor(http());
      const { probe } = context.monitors;
      site.status = 503;
      const [from, end] = [-1, 1].map(hours => new Date(Date.now() + hours * 3_600_000).toISOString());
      const id = newId("mtn");
      const schedule = { kind: "once" as const, from: from ?? "", until: end ?? "" };
      const body = { title: "Upgrade", monitors: [made.id], mode: "quiet" as const, schedule };
      let isPlanned = false;
      context.monitors.probe = async (region, page) => {
        if (!isPlanned) {
          isPlanned = true;
          await context.ask("monitors.createMaintenance", { id, body }, made.admin);
        }
        return probe(region, page);
      };
      await runHttpChecks(context.monitors);
      assert.deepEqual([(await stateOf(made))?.outcome, reportsOf(made.admin)], ["failing", []]);
      await context.ask("monitors.endMaintenance", { id }, made.admin);
      await checkAgain(made.id);
      assert.deepEqual(reportsOf(made.admin), ["failing"]);
    });

    it("go on during silent maintenance, and are reported after it", async () => {
      const made = await monitor(http());
      const plan = async () => {
        const [from = "", end = ""] = [-1, 1].map(hours =>
          new Date(Date.now() + hours * 3_600_000).toISOString(),
        );
        const id = newId("mtn");
        const schedule = { kind: "once" as const, from, until: end };
        const body = { title: "Upgrade", monitors: [made.id], mode: "quiet" as const, schedule };
        await context.ask("monitors.createMaintenance", { id, body }, made.admin);
        return () => context.ask("monitors.endMaintenance", { id }, made.admin);
      };
      const checkAt = async (status: number, end?: () => Promise<unknown>) => {
        await end?.();
        site.status = status;
        await checkAgain(made.id);
        return [(await stateOf(made))?.outcome, reportsOf(made.admin).join()];
      };
      await runHttpChecks(context.monitors);
      const endFirst = await plan();
      assert.deepEqual(await checkAt(503), ["failing", ""]);
      assert.deepEqual(await checkAt(503, endFirst), ["failing", "failing"]);
      const endSecond = await plan();
      assert.deepEqual(await checkAt(200), ["ok", "failing"]);
      assert.deepEqual(await checkAt(200, endSecond), ["ok", "failing,passing"]);
    });

    it("leave no result and alert of what the monitor no longer checks", async () => {
      const { probe } = context.monitors;
      const changes: ChangeMonitor[] = [
        { url: `${site.url}/other` },
        { routes: ["/b"] },
        { http: http({ requiredText: "Add to cart" }) },
      ];
      for (const change of changes) {
        const made = await monitor(http());
        let asked = 0;
        context.monitors.probe = async (region, page) => {
          asked += 1;
          // Both pages of the first check fail, and fail again. Before it ends, the monitor changes.
          if (asked > 4) return probe(region, page);
          if (asked === 4) {
            await context.ask("monitors.change", { id: made.id, body: change }, made.admin);
            await runHttpChecks(context.monitors);
          }
          return { status: 503, ms: 1, error: null, hasText: null };
        };
        await runHttpChecks(context.monitors);
        const { data } = await context.ask(
          "monitors.httpChecks",
          { id: made.id, query: { limit: 5 } },
          made.admin,
        );
        assert.deepEqual([data.map(({ outcome }) => outcome), reportsOf(made.admin)], [["ok"], []]);
      }
    });

    it("are reported after a snooze, and end when they are turned off", async () => {
      const made = await monitor(http());
      site.status = 404;
      context.alerts.isSnoozed = true;
      await runHttpChecks(context.monitors);
      context.alerts.isSnoozed = false;
      await checkAgain(made.id);
      assert.deepEqual(reportsOf(made.admin).at(-1), "failing");
      await context.ask("monitors.change", { id: made.id, body: { http: null } }, made.admin);
      assert.deepEqual(reportsOf(made.admin).at(-1), "passing");
      const view = await context.get(made.admin, made.id);
      assert.deepEqual([view.http, view.httpCheck], [null, null]);
      const asked = context.alerts.conditions.length;
      await endStoppedHttpChecks(context.monitors);
      assert.equal(context.alerts.conditions.length, asked);
    });

    it("end what was alerted when they are turned off during a snooze, also if the alerts service is away", async () => {
      const made = await monitor(http());
      site.status = 404;
      await runHttpChecks(context.monitors);
      context.alerts.isSnoozed = true;
      context.alerts.isAway = true;
      await context.ask("monitors.change", { id: made.id, body: { http: null } }, made.admin);
      assert.deepEqual(reportsOf(made.admin), ["failing"]);
      assert.equal(await stateOf(made), null);
      context.alerts.isAway = false;
      await endStoppedHttpChecks(context.monitors);
      await endStoppedHttpChecks(context.monitors);
      assert.deepEqual(reportsOf(made.admin), ["failing", "passing"]);
      assert.match(context.alerts.conditions.at(-1)?.title ?? "", /HTTP check turned off/);
    });

    it("end an alert of a check that was turned off while it ran", async () => {
      const made = await monitor(http());
      site.status = 404;
      const { bus } = context.monitors;
      const { call } = bus;
      // Between the report and the record of it.
      bus.call = async (...args: unknown[]) => {
        const answer = await Reflect.apply(call, bus, args);
        if (args[0] === "alerts.reportCondition")
          await context
            .sql("update monitors.monitor set http = null where id = ?", [made.id])
            .then(() => context.sql("delete from monitors.http_check where monitor_id = ?", [made.id]));
        return answer;
      };
      try {
        await runHttpChecks(context.monitors);
      } finally {
        bus.call = call;
      }
      assert.deepEqual(reportsOf(made.admin), ["failing", "passing"]);
    });

    it("report after a snooze that a problem has ended, so that its incident doesn't stay open", async () => {
      const made = await monitor(http());
      site.status = 404;
      await runHttpChecks(context.monitors);
      site.status = 200;
      context.alerts.isSnoozed = true;
      await checkAgain(made.id);
      assert.deepEqual(reportsOf(made.admin), ["failing"]);
      context.alerts.isSnoozed = false;
      await checkAgain(made.id);
      await checkAgain(made.id);
      assert.deepEqual(reportsOf(made.admin), ["failing", "passing"]);
    });

    it("report the end of a failure although the answer to its report was lost", async () => {
      const made = await monitor(http());
      site.status = 404;
      context.alerts.losesAnswers = true;
      await runHttpChecks(context.monitors);
      context.alerts.losesAnswers = false;
      context.alerts.isSnoozed = true;
      await checkAgain(made.id);
      site.status = 200;
      await checkAgain(made.id);
      context.alerts.isSnoozed = false;
      assert.deepEqual(reportsOf(made.admin), ["failing"]);
      await checkAgain(made.id);
      await checkAgain(made.id);
      assert.deepEqual(reportsOf(made.admin), ["failing", "passing"]);
    });

    it("report the next failure although the answer to the report of an end was lost", async () => {
      const made = await monitor(http());
      site.status = 404;
      await runHttpChecks(context.monitors);
      site.status = 200;
      context.alerts.losesAnswers = true;
      await checkAgain(made.id);
      context.alerts.losesAnswers = false;
      site.status = 404;
      await checkAgain(made.id);
      await checkAgain(made.id);
      assert.deepEqual(reportsOf(made.admin), ["failing", "passing", "failing"]);
    });

    it("end a failure when they are turned off although the answer to its report was lost", async () => {
      const made = await monitor(http());
      site.status = 404;
      context.alerts.losesAnswers = true;
      await runHttpChecks(context.monitors);
      context.alerts.losesAnswers = false;
      await context.ask("monitors.change", { id: made.id, body: { http: null } }, made.admin);
      assert.deepEqual(reportsOf(made.admin), ["failing", "passing"]);
    });

    it("aren't delayed by another monitor whose pages don't respond", async () => {
      const slow = await monitor(http());
      const { probe } = context.monitors;
      const slowPages = Promise.withResolvers<void>();
      const isSlow = new Set<string>();
      context.monitors.probe = async (region, page) => {
        if (page.url.includes("/slow")) {
          isSlow.add(page.url);
          await slowPages.promise;
        }
        return probe(region, page);
      };
      await context.ask(
        "monitors.change",
        { id: slow.id, body: { routes: ["/slow/1", "/slow/2", "/slow/3"] } },
        slow.admin,
      );
      const fast = await monitor(http());
      const running = runHttpChecks(context.monitors);
      await until(async () => (await stateOf(fast))?.outcome === "ok");
      assert.equal(isSlow.size, 3, "the pages of a monitor don't wait for each other");
      assert.equal(await stateOf(slow), null);
      const later = await monitor(http());
      await until(async () => (await stateOf(later))?.outcome === "ok");
      assert.equal(await stateOf(slow), null);
      slowPages.resolve();
      await running;
      assert.equal((await stateOf(slow))?.outcome, "ok");
    });

    it("all run, also if many are due", async () => {
      const many = await Promise.all(Array.from({ length: 60 }, () => monitor(http())));
      await runHttpChecks(context.monitors);
      const outcomes = await Promise.all(many.map(stateOf));
      assert.ok(outcomes.every(state => state?.outcome === "ok"));
    });

    it("one failed check doesn't stop the others", async () => {
      const broken = await monitor(http());
      const others = await Promise.all([monitor(http()), monitor(http())]);
      const { probe } = context.monitors;
      context.monitors.probe = async (region, page) => {
        if (page.url.includes("/broken")) throw new Error("No bus.");
        return probe(region, page);
      };
      await context.ask("monitors.change", { id: broken.id, body: { routes: ["/broken"] } }, broken.admin);
      await runHttpChecks(context.monitors);
      const outcomes = await Promise.all([broken, ...others].map(stateOf));
      assert.deepEqual(
        outcomes.map(state => state?.outcome),
        [undefined, "ok", "ok"],
      );
    });

    it("keep their results as long as the plan keeps checks", async () => {
      const made = await monitor(http());
      await runHttpChecks(context.monitors);
      await context.sql(
        "update monitors.http_result set at = now() - interval '91 days' where monitor_id = ?",
        [made.id],
      );
      await checkAgain(made.id);
      await context.sql("update monitors.team set pruned_at = now() - interval '2 hours' where id = ?", [
        made.admin.teamId,
      ]);
      await pruneChecks(context.monitors);
      const query = { limit: 5 };
      const { data } = await context.ask("monitors.httpChecks", { id: made.id, query }, made.admin);
      assert.equal(data.length, 1);
    });

    it("don't run for paused monitors, and forged cursors are refused", async () => {
      const made = await monitor(http());
      await context.ask("monitors.change", { id: made.id, body: { paused: true } }, made.admin);
      await runHttpChecks(context.monitors);
      assert.equal(await stateOf(made), null);
      const cursor = Buffer.from(`http ${made.id} made_up`).toString("base64url");
      const query = { limit: 5, cursor };
      const forged = context.ask("monitors.httpChecks", { id: made.id, query }, made.admin);
      await assert.rejects(forged, { type: "invalid_request" });
      const other = context.ask("monitors.httpChecks", { id: made.id, query: { limit: 5 } }, context.team());
      await assert.rejects(other, { type: "not_found" });
    });
  });
