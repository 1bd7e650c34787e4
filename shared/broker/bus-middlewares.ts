import { Errors, type Middleware } from "moleculer";
import { withTimeout } from "../async.ts";

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
        const late = () => new Errors.RequestTimeoutError({ action, nodeID });
        return await withTimeout(next.call(this, context), timeout, late);
      };
    },
  };
}
