/**
 * A node with an HTTP service and an action that does nothing, to measure the framework alone. Its broker is the
 * product's, with retries, bulkheads and metrics. With the argument `bare`, it has metrics only.
 */
import { ServiceBroker } from "moleculer";
import ApiGateway from "moleculer-web";
import { brokerOptions } from "../../moleculer.config.ts";
import { loadConfig } from "../../shared/config.ts";

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
