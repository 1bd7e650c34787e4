import { Errors, type Middleware } from "moleculer";

/**
 * Middleware that gives up on another node's answer as Moleculer does, but where its circuit breaker sees it: that one
 * stands closer to the bus than Moleculer's own timeout, and would take a node that never answers for a good one.
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
