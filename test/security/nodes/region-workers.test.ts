import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Service, ServiceBroker } from "moleculer";
import { brokerOptions } from "../../../moleculer.config.ts";
import billing from "../../../services/billing/billing.service.ts";
import differ from "../../../services/differ/differ.service.ts";
import renderer from "../../../services/renderer/renderer.service.ts";
import { followRenderers } from "../../../services/runs/capture/follow-renderers.ts";
import { RenderingFleet } from "../../../services/runs/capture/rendering-fleet.ts";
import runs from "../../../services/runs/runs.service.ts";
import type { RunsContext } from "../../../services/runs/runs-context.ts";
import teams from "../../../services/teams/teams.service.ts";
import { listJobRenderers, listRenderers } from "../../../shared/broker/renderers.ts";
import { loadConfig } from "../../../shared/config.ts";
import type { ActionName, Actions } from "../../../shared/contracts/actions.ts";
import { service } from "../../../shared/contracts/bus.ts";
import { submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import { newId } from "../../../shared/ids.ts";
import { TEST_KEY, TEST_SECRET_KEY } from "../../support/drivers/api-access.ts";
import { until } from "../../support/drivers/until.ts";
import { LockedNats } from "../../support/servers/locked-nats.ts";
import { createDatabase } from "../../support/servers/postgres-server.ts";
import { needs } from "../../support/servers/server-programs.ts";

const REGIONS = ["ap-south", "eu-west", "us-east"];
const ROUTES = ["/", "/a", "/b", "/c"];
const caller = {
  teamId: "team_a",
  role: "admin",
  actor: { kind: "key", id: "key_a", name: "test" },
} as const;

/** Renderers with only the permissions of docker/nats.conf. Those of a region have no others. */
describe("Renderers of two regions, over NATS", () => {
  let nats: LockedNats;
  let folder: string;
  let site: Server;
  let url: string;
  let core: ServiceBroker;
  let context: RunsContext;
  const workers: ServiceBroker[] = [];
  /** Captured pages by the region of the node that captured them. */
  const captured: Record<string, number> = {};
  let requests = 0;
  /** Pages load once it resolves. */
  let answering = Promise.resolve();

  needs("nats-server", "database");

  before(async () => {
    nats = await LockedNats.start();
    folder = await mkdtemp(join(tmpdir(), "vrs-regions-"));
    site = createServer(async (_req, res) => {
      requests += 1;
      await answering;
      res.writeHead(200, { "content-type": "text/html" }).end("<h1>Shop</h1>");
    });
    await new Promise<void>(resolve => site.listen(0, "127.0.0.1", resolve));
    // biome-ignore lint/plugin: a server that listens on a port.
    url = `http://localhost:${(site.address() as AddressInfo).port}`;
    const common = {
      IMAGE_STORE_URL: `file://${folder}`,
      SERVICE_ALLOW_HOSTS: "localhost",
      SERVICE_ALLOW_UNSANDBOXED: "1",
      LOG_LEVEL: "fatal",
    };
    const env = {
      ...common,
      NATS_URL: nats.urlOf("core"),
      DATABASE_URL: await createDatabase(),
      SERVICE_BOOTSTRAP_KEY: TEST_KEY,
      SERVICE_SECRET_KEY: TEST_SECRET_KEY,
      SERVICES: "runs,teams,billing,differ",
    };
    core = new ServiceBroker(brokerOptions(loadConfig(env)));
    for (const each of [billing, teams, differ]) core.createService(each);
    core.createService(
      service<Service & { context: RunsContext }>({
        name: "runs",
        mixins: [runs],
        async started() {
          context = this.context;
          context.fleet = new RenderingFleet({
            ...{ graceMs: 20_000, regionGraceMs: 0, warn: () => {} },
            renderers: () => listJobRenderers(core),
          });
        },
      }),
    );
    await core.start();
    for (const [user, region] of [
      ["renderer-1", "eu-west"],
      ["renderer-2", "us-east"],
    ] as const) {
      const own = { NATS_URL: nats.urlOf(user), SERVICES: "renderer", SERVICE_REGION: region };
      const worker = new ServiceBroker(
        brokerOptions(loadConfig({ ...common, ...own, RENDER_CONCURRENCY: "1" })),
      );
      worker.createService(
        service<Service & { load: { during: (work: () => Promise<unknown>) => Promise<unknown> } }>({
          name: "renderer",
          mixins: [renderer],
          async started() {
            const during = this.load.during.bind(this.load);
            this.load.during = work => {
              captured[region] = (captured[region] ?? 0) + 1;
              return during(work);
            };
          },
        }),
      );
      workers.push(worker);
    }
    await Promise.all(workers.map(worker => worker.start()));
    await until(() => listRenderers(core).filter(({ rendering }) => rendering !== null).length === 2);
  });
  after(async () => {
    for (const each of [...workers, core]) await each?.stop();
    await nats?.close();
    site?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = <N extends ActionName>(name: N, params: Actions[N]["params"]) =>
    core.call<Actions[N]["result"], Actions[N]["params"]>(name, params, { meta: { caller } });

  it("each take the pages of their region only, and a region without a renderer doesn't hold them up", async () => {
    const body = submitRunBody.parse({ url, routes: ROUTES, project: "shop", partial: true });
    const capture = async (regions: string[]) => {
      const { id } = await ask("runs.submit", { id: newId("run"), body, regions });
      await until(async () => {
        await followRenderers(context);
        return (await ask("runs.get", { id })).completedAt !== null;
      });
      return id;
    };
    await capture(["eu-west"]);
    assert.deepEqual(captured, { "eu-west": ROUTES.length });
    const id = await capture(REGIONS);
    assert.deepEqual(captured, { "eu-west": 2 * ROUTES.length, "us-east": ROUTES.length });
    const { data } = await ask("runs.screenshots", { runId: id, query: { limit: 100 } });
    const statuses = data.map(({ environment, status }) => `${environment} ${status}`);
    assert.deepEqual(
      [...new Set(statuses)].toSorted(),
      ["@ap-south failed", "@eu-west new", "@us-east new"],
      JSON.stringify(data.map(({ error }) => error)),
    );
    assert.match(data.find(({ error }) => error !== null)?.error ?? "", /No renderer of the region ap-south/);
  });

  it("leave nothing in the queue when their region's only node stops during a run", async () => {
    const [, us] = workers;
    assert.ok(us);
    const answer = Promise.withResolvers<void>();
    answering = answer.promise;
    const before = requests;
    const body = submitRunBody.parse({ url, routes: ROUTES, project: "stopped", partial: true });
    const { id } = await ask("runs.submit", { id: newId("run"), body, regions: ["eu-west", "us-east"] });
    await until(() => requests === before + 2);
    // It returns the job that it holds. Jobs of its region wait beside it.
    await us.stop();
    await until(() => listRenderers(core).length === 1);
    answer.resolve();
    await until(async () => {
      await followRenderers(context);
      return (await ask("runs.get", { id })).completedAt !== null;
    });
    const { counts } = await ask("runs.get", { id });
    assert.deepEqual([counts.new, counts.failed], [ROUTES.length, ROUTES.length]);
    await until(async () =>
      (await context.queue.load()).every(({ waiting, underWay }) => waiting + underWay === 0),
    );
  });
});
