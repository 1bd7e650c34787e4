import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { type Fleet, fleet } from "../../../shared/contracts/fleet.ts";
import { runView } from "../../../shared/contracts/runs/runs.ts";
import { submittedRun } from "../../../shared/contracts/runs/submit-run.ts";
import { createdTeam } from "../../../shared/contracts/teams/people.ts";
import { CORE_SERVICES, SERVICE_NAMES } from "../../../shared/environment/variables.ts";
import type { ApiAccess } from "../../support/drivers/api-access.ts";
import { freePort } from "../../support/drivers/free-port.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { Site } from "../../support/fixtures/site.ts";
import { problemOf } from "../../support/formats/problem.ts";
import { Cluster } from "../../support/servers/nodes/cluster.ts";
import { needs } from "../../support/servers/server-programs.ts";

const read = async (service: ApiAccess): Promise<Fleet> => {
  const answer = await service.request("/v1/admin/nodes");
  assert.equal(answer.status, 200);
  return fleet.strict().parse(await answer.json());
};

/** Reads until the condition holds. A node on a busy machine may not respond in time. */
async function readUntil(service: ApiAccess, isSo: (seen: Fleet) => boolean): Promise<Fleet> {
  let seen = await read(service);
  await until(async () => {
    if (isSo(seen)) return true;
    seen = await read(service);
    return false;
  });
  return seen;
}

/** Returns whether all nodes responded. */
const isWhole = ({ data, queues }: Fleet): boolean =>
  queues !== null && data.every(({ memoryBytes }) => memoryBytes !== null);

const servicesOf = (nodes: Fleet["data"]): string[] =>
  nodes.map(({ services }) => services.join(" and ")).sort();

/** The services of a core node. */
const CORE = [...CORE_SERVICES].sort().join(" and ");

/** Submits a run of an unreachable page and waits for its end. */
async function runIntoTheVoid(service: ApiAccess): Promise<string> {
  const url = `http://localhost:${await freePort()}`;
  const { id } = submittedRun.parse(await (await service.post("/v1/run", { url, viewports: [800] })).json());
  const ended = async () =>
    runView.parse(await (await service.request(`/v1/runs/${id}`)).json()).status === "failed";
  await until(ended);
  return id;
}

describe("The list of nodes", () => {
  describe("of a single node", () => {
    let vrs: Vrs;

    before(async () => {
      vrs = await Vrs.start();
    });

    after(() => vrs?.stop());

    it("is hidden from admins of other teams", async () => {
      const { key } = createdTeam.parse(await (await vrs.post("/v1/teams", { name: "Other" })).json());
      const headers = { Authorization: `Bearer ${key}` };
      await problemOf(await fetch(`${vrs.baseUrl}/v1/admin/nodes`, { headers }), "forbidden");
    });

    it("shows its services, its load, and its failures", async () => {
      const runId = await runIntoTheVoid(vrs);
      const { data, queues, recentFailures } = await readUntil(vrs, isWhole);
      const [node] = data;
      assert.equal(data.length, 1);
      assert.deepEqual(node?.services, [...SERVICE_NAMES].sort());
      assert.ok((node?.memoryBytes ?? 0) > 0);
      assert.ok(node?.cpuPercent !== null);
      assert.equal(node?.rendering?.failures, 1);
      assert.deepEqual(
        queues?.map(({ queue, waiting }) => [queue, waiting]),
        [
          ["capture", 0],
          ["compare", 0],
          ["result", 0],
        ],
      );
      const [failure] = recentFailures ?? [];
      assert.deepEqual([failure?.runId, failure?.route, failure?.viewport], [runId, "/", 800]);
      assert.match(failure?.error ?? "", /refused/i);
    });

    it("ends its open streams when it stops", async () => {
      const url = `http://localhost:${await freePort()}`;
      const routes = Array.from({ length: 100 }, (_, index) => `/${index}`);
      const { id } = submittedRun.parse(await (await vrs.post("/v1/run", { url, routes })).json());
      const stream = await vrs.request(`/v1/runs/${id}/events`);
      assert.equal(stream.status, 200);
      await Promise.all([stream.text(), vrs.terminate()]);
    });
  });

  describe("of a fleet", () => {
    needs("nats-server", "database");
    let cluster: Cluster;

    let collector: Server;
    const spans: { name: string; traceId: string }[] = [];

    before(async () => {
      collector = createServer(async (req, res) => {
        const told = z.array(z.object({ name: z.string(), traceId: z.string() })).parse(await json(req));
        spans.push(...told);
        res.writeHead(202).end();
      }).listen(0, "127.0.0.1");
      await once(collector, "listening");
      const address = collector.address();
      const port = typeof address === "object" ? address?.port : 0;
      // Its workers have only a worker's permissions.
      cluster = await Cluster.start({
        locked: true,
        sharedDatabase: true,
        env: { OTEL_EXPORTER_ZIPKIN_ENDPOINT: `http://127.0.0.1:${port}/api/v2/spans` },
      });
    });

    after(async () => {
      await cluster?.stop();
      collector?.close();
    });

    it("sends a request's spans of several nodes to a collector", async () => {
      await (await cluster.request("/v1/runs?limit=1")).text();
      const traced = (name: string) => spans.find(span => span.name === name)?.traceId;
      await until(() => traced("GET /v1/runs") !== undefined && traced("action 'runs.list'") !== undefined);
      assert.equal(traced("GET /v1/runs"), traced("action 'runs.list'"));
    });

    it("renders and compares without a request that NATS rejects", async () => {
      let visits = 0;
      const site = await Site.start({ "/": (_req, res) => void res.end(`<h1>Visit ${++visits}</h1>`) });
      const client = cluster.client();
      const completed = async () => {
        const { id } = await client.submitRun({ url: site.url, viewports: [800] });
        assert.equal((await client.waitForRun(id)).status, "completed", cluster.output());
        return id;
      };
      try {
        await client.approve(await completed());
        await completed();
        assert.doesNotMatch(cluster.output(), /permission|refuse/i);
      } finally {
        await site.stop();
      }
    });

    it("shows each node, and the failures", async () => {
      const runId = await runIntoTheVoid(cluster);
      const { data, queues, recentFailures } = await readUntil(cluster, isWhole);
      assert.deepEqual(servicesOf(data), [CORE, "differ", "gateway", "renderer", "renderer"]);
      assert.ok(data.every(({ memoryBytes, version, startedAt }) => memoryBytes && version && startedAt));
      assert.equal(queues?.length, 3);
      assert.deepEqual(
        recentFailures?.map(failure => failure.runId),
        [runId],
      );
    });

    it("responds while some nodes hang, and names them", async () => {
      const hanging = [cluster.the("renderer"), cluster.the("runs")];
      // The gateway already knows the key, so that the trace has only this request.
      await read(cluster);
      for (const node of hanging) node.pause();
      try {
        const silentOf = ({ data }: Fleet) => data.filter(({ memoryBytes }) => memoryBytes === null);
        const seen = await readUntil(cluster, fleet => silentOf(fleet).length === hanging.length);
        assert.deepEqual(servicesOf(silentOf(seen)), [CORE, "renderer"]);
        assert.deepEqual([seen.queues, seen.recentFailures], [null, null]);
      } finally {
        for (const node of hanging) node.resume();
      }
    });

    it("removes a node that stops, which ends gracefully", async () => {
      const [, second] = cluster.with("renderer");
      const before = (await read(cluster)).data.length;
      await second?.terminate();
      assert.equal(second?.exitCode, 0);
      await until(async () => (await read(cluster)).data.length === before - 1);
      await second?.start();
      await until(async () => (await read(cluster)).data.length === before);
    });

    it("removes a killed node as soon as a request to it fails", async () => {
      const killed = cluster.with("renderer")[1];
      await killed?.kill();
      await until(async () => (await read(cluster)).data.length === 4);
    });

    it("reports that no renderer is connected until one is", async () => {
      const readiness = async () => (await cluster.request("/ready")).json();
      await until(async () => (await cluster.request("/ready")).status === 200);
      assert.deepEqual((await read(cluster)).faults, []);
      const renderers = cluster.with("renderer");
      for (const renderer of renderers) await renderer.kill();
      await readUntil(cluster, ({ faults }) => faults[0]?.code === "no_renderer");
      assert.deepEqual(await readiness(), { status: "unavailable", missing: ["renderer"] });
      const client = cluster.client();
      const { id } = await client.submitRun({ url: "https://example.com", viewports: [800] });
      const warningsOf = async () =>
        (await client.getRun(id)).warnings.map(({ message }) => message.split(".")[0]);
      await until(async () => (await warningsOf())[0] === "No renderer is connected");
      await renderers[0]?.start();
      await until(async () => (await warningsOf()).length === 0);
      assert.deepEqual((await read(cluster)).faults, []);
    });
  });
});
