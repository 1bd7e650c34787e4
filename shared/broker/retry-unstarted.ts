import { setTimeout as delay } from "node:timers/promises";
import type { CallingOptions, Middleware, ServiceBroker } from "moleculer";
import { isUnstarted } from "./bus-errors.ts";
import { NatsTransporter } from "./nats-transporter.ts";

/** A service restarts in less, and a client of ours waits for more. */
const PATIENCE_MS = 8_000;
const POLL_INTERVAL_MS = 100;

type Call = (action: string, params: unknown, options?: CallingOptions) => Promise<unknown>;

/**
 * Middleware that asks again, for a while, for what nobody has begun: the only node that does it restarts, or all of
 * them are full. Moleculer's own retries see only requests that some node took.
 */
export function retryUnstarted(): Middleware {
  let broker: ServiceBroker | null = null;
  const call = (next: Call): Call => {
    return async (action, params, options) => {
      // A retry's retry is for the first one, and who names a node wants that or nothing.
      if (isRetry(options) || options?.nodeID !== undefined) return next(action, params, options);
      const until = Date.now() + PATIENCE_MS;
      for (;;) {
        try {
          return await next(action, params, options);
        } catch (error) {
          if (!isUnstarted(error, action) || !broker || !(await comesBack(broker, action, until)))
            throw error;
        }
      }
    };
  };
  const hooks: object = { name: "AskAgain", created: (made: ServiceBroker) => (broker = made), call };
  // biome-ignore lint/plugin: Moleculer's types take the hook's result for the call's.
  return hooks as Middleware;
}

function isRetry(options: CallingOptions | undefined): boolean {
  return options !== undefined && "ctx" in options && options.ctx !== undefined;
}

/** Waits until some node offers the action, at least for a moment: the one that refused may be on its way out. */
async function comesBack(broker: ServiceBroker, action: string, until: number): Promise<boolean> {
  do {
    if (Date.now() >= until) return false;
    await delay(POLL_INTERVAL_MS);
  } while (!isOffered(broker, action));
  return true;
}

function isOffered({ registry, transit }: ServiceBroker, action: string): boolean {
  if (transit?.tx instanceof NatsTransporter && !transit.tx.online) return false;
  return registry.actions.isAvailable(action);
}
