import assert from "node:assert/strict";
import { ServiceBroker } from "moleculer";
import { brokerOptions } from "../../../moleculer.config.ts";
import gateway from "../../../services/gateway/gateway.service.ts";
import { loadConfig } from "../../../shared/config.ts";
import { freePort } from "../../support/drivers/free-port.ts";
import { SpanCollector } from "../../support/fakes/span-collector.ts";

describe("The spans of requests", () => {
  it("are named by their route, so that no URL gets into a trace", async () => {
    const collector = await SpanCollector.start();
    const port = await freePort();
    const broker = new ServiceBroker(
      brokerOptions(
        loadConfig({
          PORT: String(port),
          IMAGE_STORE_URL: "file:///tmp/no-images",
          LOG_LEVEL: "fatal",
          OTEL_EXPORTER_ZIPKIN_ENDPOINT: collector.url,
        }),
      ),
    );
    broker.createService(gateway);
    try {
      await broker.start();
      const paths = ["/v1/runs/swordfish", "/v1/runs?cursor=swordfish", "/swordfish", "/https://swordfish"];
      for (const path of paths) await fetch(`http://localhost:${port}${path}`);
    } finally {
      await broker.stop();
      collector.stop();
    }
    const names = collector.spans.filter(({ parentId }) => parentId === undefined).map(({ name }) => name);
    assert.deepEqual(names.toSorted(), ["GET", "GET", "GET /v1/runs", "GET /v1/runs/:id"]);
    assert.doesNotMatch(JSON.stringify(collector.spans), /swordfish/);
  });
});
