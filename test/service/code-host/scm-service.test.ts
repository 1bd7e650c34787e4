import assert from "node:assert/strict";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "mocha";
import { ServiceBroker } from "moleculer";
import { brokerOptions } from "../../../moleculer.config.ts";
import scm from "../../../services/scm/scm.service.ts";
import { loadConfig } from "../../../shared/config.ts";
import { broadcast, call, emit } from "../../../shared/contracts/bus.ts";
import { deliver } from "../../support/contexts/code-host/scm-context.ts";
import { MAIN_DATABASE, type TestDatabase } from "../../support/databases/databases.ts";
import { freePort } from "../../support/drivers/free-port.ts";
import { until } from "../../support/drivers/until.ts";
import { CodeHostAppServer } from "../../support/fakes/code-host/code-host-app.ts";
import { HostedRepository } from "../../support/fakes/code-host/hosted-repository.ts";
import { makeRun } from "../../support/fixtures/run-views.ts";

describe("A Cloud API that does the runs of another installation's app", () => {
  const notified: { path: string; secret: string; body: unknown }[] = [];
  const app = createServer(async (req, res) => {
    const body: unknown = JSON.parse(await text(req));
    notified.push({ path: req.url ?? "", secret: req.headers.authorization ?? "", body });
    res.end("{}");
  });
  const run = makeRun({
    id: "run_1",
    status: "canceled",
    scm: { owner: "octo", repo: "site", sha: "a".repeat(40), checkRunId: 77 },
  });
  let database: TestDatabase;
  let broker: ServiceBroker;

  before(async () => {
    database = await MAIN_DATABASE.make();
    const port = await freePort();
    await new Promise<void>(resolve => app.listen(port, "127.0.0.1", resolve));
    const config = loadConfig({
      LOG_LEVEL: "fatal",
      SERVICE_CALLBACK_URL: `http://127.0.0.1:${port}`,
      SERVICE_CALLBACK_SECRET: "callback-secret-of-the-tests",
      ...database.env,
    });
    broker = new ServiceBroker(brokerOptions(config));
    broker.createService(scm);
    broker.createService({ name: "runs", actions: { get: () => run } });
    await broker.start();
  });
  after(async () => {
    await broker?.stop();
    await database?.remove();
    app.close();
  });

  it("notifies the app of a canceled run", async () => {
    await emit(broker, "run.stopped", { runId: "run_1", teamId: "team_1" });
    await until(() => notified.length > 0);
    const { counts, links } = run;
    const body = { runId: "run_1", conclusion: "canceled", counts, reportUrl: links.report };
    assert.deepEqual(notified, [
      { path: "/runs/77/complete", secret: "Bearer callback-secret-of-the-tests", body },
    ]);
  });
});

describe("An app whose code host does not respond at startup", () => {
  it("starts anyway, and logs that the app was not checked", async () => {
    const [host, database] = await Promise.all([CodeHostAppServer.start(), MAIN_DATABASE.make()]);
    const { env } = host;
    await host.close();
    const broker = new ServiceBroker(
      brokerOptions(loadConfig({ LOG_LEVEL: "fatal", ...env, ...database.env })),
    );
    try {
      broker.createService(scm);
      await broker.start();
      const stateOf = async () => (await call(broker, "scm.app", {})).state;
      await until(async () => (await stateOf()) === "unreachable");
    } finally {
      await broker.stop();
      await database.remove();
    }
  });
});

describe("An app whose code host responds at startup", () => {
  it("is checked before an operator views its state", async () => {
    const [host, database] = await Promise.all([CodeHostAppServer.start(), MAIN_DATABASE.make()]);
    const broker = new ServiceBroker(
      brokerOptions(loadConfig({ LOG_LEVEL: "fatal", ...host.env, ...database.env })),
    );
    try {
      broker.createService(scm);
      await broker.start();
      await until(() => host.requests.includes("GET /app"));
    } finally {
      await broker.stop();
      await Promise.all([database.remove(), host.close()]);
    }
  });
});

describe("A node with the app that other nodes tell of previews", () => {
  it("uses them for the events that it gets itself", async () => {
    const [host, database] = await Promise.all([CodeHostAppServer.start(), MAIN_DATABASE.make()]);
    const repository = new HostedRepository("octo", "site");
    host.install(repository);
    const sha = "a".repeat(40);
    const key = `octo/site@${sha}`;
    const broker = new ServiceBroker(
      brokerOptions(loadConfig({ LOG_LEVEL: "fatal", ...host.env, ...database.env })),
    );
    const send = async (event: string, payload: object) => {
      const body = JSON.stringify({ ...payload, ...host.event(repository) });
      const delivery = deliver(CodeHostAppServer.headers(event, body), body);
      return Object((await call(broker, "scm.receive", delivery)).body);
    };
    try {
      broker.createService(scm);
      // Without runs of the branch. A missing service would be retried for longer than the code host waits.
      broker.createService({ name: "runs", actions: { list: () => ({ data: [], nextCursor: null }) } });
      await broker.start();
      const succeeded = { sha, state: "success", context: "Platform", target_url: null };
      assert.match((await send("status", succeeded)).reason, /no URL/);
      const url = "https://1.previews.example";
      await broadcast(broker, "preview.expected", { key: `${key} status Platform`, url });
      assert.match((await send("status", succeeded)).reason, /is stored/);

      const pull = repository.open("topic");
      const at = { number: pull.number, head: { ...pull.head, repo: { id: 1 } }, base: pull.base };
      const base = { ...pull.base, repo: { id: repository.id } };
      const opened = { action: "opened", pull_request: { ...at, base } };
      assert.match((await send("pull_request", opened)).reason, /^No preview URL/);
      const seen = `octo/site@${pull.head.sha}`;
      await broadcast(broker, "preview.seen", { key: seen, url: "https://127.0.0.1/" });
      assert.equal((await send("pull_request", opened)).error, "Preview URL not allowed");
    } finally {
      await broker.stop();
      await Promise.all([database.remove(), host.close()]);
    }
  });
});
