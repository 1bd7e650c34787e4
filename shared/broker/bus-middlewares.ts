import { Errors, type Middleware } from "moleculer";

/**
 * Middleware that applies the timeout of calls to other nodes where Moleculer's circuit breaker sees it. The circuit
 * breaker is closer to the bus than Moleculer's own timeout. It would count a node that never responds as healthy.
 */
export function remoteTimeout(): Middleware {
  return {
    name: "RemoteTimeout",
    remoteAction: (next, { name: action = "" }) => {
      return async function (context) {
        const timeout = context.options.timeout ?? 0;
        if (timeout <= 0) return next.call(this, context);
        const nodeID = context.nodeID ?? "";
        const { promise: tooLate, reject } = Promise.withResolvers<never>();
        const timer = setTimeout(() => reject(new Errors.RequestTimeoutError({ action, nodeID })), timeout);
        try {
          return await Promise.race([next.call(this, context), tooLate]);
        } finally {
          clearTimeout(timer);
        }
      };
    },
  };
}
