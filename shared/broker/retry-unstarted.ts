import { setTimeout as delay } from "node:timers/promises";
import type { CallingOptions, Middleware, ServiceBroker } from "moleculer";
import { isUnstarted } from "./bus-errors.ts";
import { NatsTransporter } from "./nats-transporter.ts";

/** Longer than a restart, and shorter than our clients' timeouts. */
const RETRY_FOR_MS = 8_000;
const POLL_INTERVAL_MS = 100;

type Call = (action: string, params: unknown, options?: CallingOptions) => Promise<unknown>;

/**
 * Middleware that retries calls that no node started, for a while: the only node of the service restarts, or
 * all are full. Moleculer's own retries see only calls that a node accepted.
 */
export function retryUnstarted(): Middleware {
  let broker: ServiceBroker | null = null;
  const call = (next: Call): Call => {
    return async (action, params, options) => {
      // Nested calls are retried by the outermost one, and a call to a specific node has no alternative.
      if (isRetry(options) || options?.nodeID !== undefined) return next(action, params, options);
      const deadline = Date.now() + RETRY_FOR_MS;
      for (;;) {
        try {
          return await next(action, params, options);
        } catch (error) {
          if (!isUnstarted(error, action) || !broker || !(await waitForOffer(broker, action, deadline)))
            throw error;
        }
      }
    };
  };
  const hooks: object = { name: "RetryUnstarted", created: (made: ServiceBroker) => (broker = made), call };
  // biome-ignore lint/plugin: Moleculer's types take the hook's result for the call's.
  return hooks as Middleware;
}

function isRetry(options: CallingOptions | undefined): boolean {
  return options !== undefined && "ctx" in options && options.ctx !== undefined;
}

/**
 * Waits until a node offers the action, and for at least a moment: the node that rejected the call may be
 * stopping.
 */
async function waitForOffer(broker: ServiceBroker, action: string, deadline: number): Promise<boolean> {
  do {
    if (Date.now() >= deadline) return false;
    await delay(POLL_INTERVAL_MS);
  } while (!isOffered(broker, action));
  return true;
}

function isOffered({ registry, transit }: ServiceBroker, action: string): boolean {
  if (transit?.tx instanceof NatsTransporter && !transit.tx.online) return false;
  return registry.actions.isAvailable(action);
}
