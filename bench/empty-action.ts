/** A node with an HTTP service and an action that does nothing: what the framework costs by itself. */
import { ServiceBroker } from "moleculer";
import ApiGateway from "moleculer-web";

const broker = new ServiceBroker({ logger: false, metrics: true });
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
