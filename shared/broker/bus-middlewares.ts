import * as moleculer from "moleculer";

/** Returns Moleculer's middleware that compresses messages of at least `threshold` (such as `16kb`). */
export function busCompression(threshold: string): moleculer.Middleware {
  // biome-ignore lint/plugin: Moleculer's types leave out the middlewares that come with it.
  const { Middlewares } = moleculer as unknown as WithMiddlewares;
  return Middlewares.Transmit.Compression({ method: "deflate", threshold });
}

interface WithMiddlewares {
  Middlewares: {
    Transmit: { Compression(options: { method: "deflate"; threshold: string }): moleculer.Middleware };
  };
}

/**
 * Middleware that applies the timeout of calls to other nodes where Moleculer's circuit breaker sees it. The circuit
 * breaker is closer to the bus than Moleculer's own timeout. It would count a node that never responds as healthy.
 */
export function remoteTimeout(): moleculer.Middleware {
  return {
    name: "RemoteTimeout",
    remoteAction: (next, { name: action = "" }) => {
      return async function (context) {
        const timeout = context.options.timeout ?? 0;
        if (timeout <= 0) return next.call(this, context);
        const nodeID = context.nodeID ?? "";
        const { promise: tooLate, reject } = Promise.withResolvers<never>();
        const timer = setTimeout(
          () => reject(new moleculer.Errors.RequestTimeoutError({ action, nodeID })),
          timeout,
        );
        try {
          return await Promise.race([next.call(this, context), tooLate]);
        } finally {
          clearTimeout(timer);
        }
      };
    },
  };
}
