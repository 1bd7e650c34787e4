import * as moleculer from "moleculer";

/** Moleculer's middleware that compresses messages from `threshold` up (`16kb`). */
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
