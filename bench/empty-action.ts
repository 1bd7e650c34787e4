/**
 * A node with an HTTP service and an action that does nothing: what the framework costs by itself, with the broker of
 * a node of the product's (its retries, bulkheads, metrics), or with the argument `bare` with one that has but metrics.
 */
import { ServiceBroker } from "moleculer";
import ApiGateway from "moleculer-web";
import { brokerOptions } from "../moleculer.config.ts";
import { loadConfig } from "../shared/config.ts";

const isBare = process.argv.includes("bare");
const broker = new ServiceBroker({
  ...(isBare ? { metrics: true } : brokerOptions(loadConfig())),
  logger: false,
});
broker.createService({ name: "empty", actions: { answer: () => ({ ok: true }) } });
broker.createService({
  name: "web",
  mixins: [ApiGateway],
  settings: {
    port: 0,
    logRequest: null,
    logResponse: null,
    routes: [{ path: "/", aliases: { "GET /empty": "empty.answer" } }],
  },
  started() {
    process.send?.(this.server.address().port);
  },
});
await broker.start();
