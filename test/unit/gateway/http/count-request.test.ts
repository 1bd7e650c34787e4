import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { ServiceBroker } from "moleculer";
import { countRequest } from "../../../../services/gateway/http/count-request.ts";
import { ROUTES } from "../../../../services/gateway/routes/routes.ts";
import { METRICS, registerMetrics } from "../../../../shared/broker/metrics/metric-catalogue.ts";

const RUN = "GET /v1/runs/:id";
const STREAM = "GET /v1/runs/:id/events";

describe("Metrics of HTTP requests", () => {
  it("count each response by its route, and measure no event stream", async () => {
    const { metrics } = new ServiceBroker({ logger: false, metrics: true });
    registerMetrics(metrics, [METRICS.httpRequests, METRICS.httpSeconds]);
    const server = createServer((req, res) => {
      const name = req.url?.endsWith("/events") ? STREAM : RUN;
      const route = ROUTES[name];
      assert.ok(route);
      countRequest(metrics, name, route, res);
      res.writeHead(req.url === "/v1/runs/missing" ? 404 : 200).end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const address = server.address();
      assert.ok(address && typeof address === "object");
      for (const path of ["run_1", "run_2", "missing", "run_1/events"])
        await (await fetch(`http://127.0.0.1:${address.port}/v1/runs/${path}`)).text();
    } finally {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    }
    const valuesOf = (name: string, field: "value" | "count") =>
      (metrics.getMetric(name)?.snapshot() ?? []).map(entry => {
        const { method, route, status } = entry.labels;
        return [method, route, status, Reflect.get(entry, field)]
          .filter(value => value !== undefined)
          .join(" ");
      });
    assert.deepEqual(valuesOf(METRICS.httpRequests.name, "value").toSorted(), [
      "GET /v1/runs/:id 200 2",
      "GET /v1/runs/:id 404 1",
      "GET /v1/runs/:id/events 200 1",
    ]);
    assert.deepEqual(valuesOf(METRICS.httpSeconds.name, "count"), ["GET /v1/runs/:id 3"]);
  });
});
