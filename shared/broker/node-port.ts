import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { Middleware, ServiceBroker } from "moleculer";
import { prometheusText } from "./metrics/metrics.ts";
import { NatsTransporter } from "./nats-transporter.ts";
import { reportedFailures } from "./node-failures.ts";
import { PORT_MESSAGES } from "./texts.ts";

/**
 * Middleware that serves a node's metrics and health on a second port, without a key, for the private
 * network. It responds from the start, so that a supervisor can tell a node that waits for the bus from a
 * dead one.
 * @param host the address of this machine that it listens on
 */
export function nodePort(port: number, host: string): Middleware {
  let server: Server | null = null;
  return {
    name: "NodePort",
    async starting(broker) {
      server = createServer((req, res) => {
        const { status, type, body } = answer(broker, req.method, req.url?.split("?", 1)[0]);
        res.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(body);
      });
      try {
        await once(server.listen(port, host), "listening");
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "EADDRINUSE")
          process.stderr.write(
            `\n  Port ${port} is in use by another program. Stop it, or set METRICS_PORT to another port.\n\n`,
          );
        throw error;
      }
    },
    async stopped() {
      server?.close();
      server?.closeAllConnections();
    },
  };
}

interface Answer {
  status: number;
  type: string;
  body: string;
}

function answer(broker: ServiceBroker, method: string | undefined, path: string | undefined): Answer {
  if (method !== "GET" && method !== "HEAD") return json(405, { error: PORT_MESSAGES.onlyGet });
  if (path === "/metrics")
    return { status: 200, type: "text/plain; version=0.0.4; charset=utf-8", body: prometheusText(broker) };
  if (path === "/live") return json(200, { status: "ok" });
  if (path === "/health" || path === "/ready") {
    const failures = failuresOf(broker);
    return failures.length === 0
      ? json(200, { status: "ok", faults: failures })
      : json(503, { status: "unavailable", faults: failures });
  }
  return json(404, { error: PORT_MESSAGES.available });
}

function json(status: number, body: object): Answer {
  return { status, type: "application/json; charset=utf-8", body: JSON.stringify(body) };
}

/** Returns why the node doesn't work now, for operators. */
function failuresOf(broker: ServiceBroker): string[] {
  const { tx } = broker.transit ?? {};
  const failures: string[] = [];
  if (!broker.started) failures.push(PORT_MESSAGES.notStarted);
  if (tx instanceof NatsTransporter && !tx.online) failures.push(PORT_MESSAGES.notConnected);
  return [...failures, ...reportedFailures(broker)];
}
