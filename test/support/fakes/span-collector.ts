import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";

const id64 = z.string().regex(/^(?!0+$)[0-9a-f]{16}$/);
const endpoint = z.strictObject({ serviceName: z.string().min(1) });

/** A span as Zipkin's API v2 describes it, without fields that the service doesn't send. */
const zipkinSpan = z.strictObject({
  traceId: z.string().regex(/^(?!0+$)[0-9a-f]{32}$/),
  id: id64,
  parentId: id64.optional(),
  name: z.string().min(1),
  kind: z.enum(["CLIENT", "SERVER", "PRODUCER", "CONSUMER"]).optional(),
  /** µs since 1970: this millennium. */
  timestamp: z.int().min(946_684_800_000_000),
  duration: z.int().min(1),
  localEndpoint: endpoint,
  tags: z.record(z.string(), z.string()),
});
export type ZipkinSpan = z.infer<typeof zipkinSpan>;

/** A collector of traces. It accepts only spans that Zipkin's API describes. */
export class SpanCollector {
  readonly spans: ZipkinSpan[] = [];
  /** Bodies that Zipkin's API doesn't describe. */
  readonly invalid: unknown[] = [];
  readonly paths: string[] = [];
  /** How it answers. A test can make it refuse, or never answer. */
  respond = (res: ServerResponse): void => void res.writeHead(202).end();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<SpanCollector> {
    const server = createServer();
    const collector = new SpanCollector(server);
    server.on("request", async (req, res) => {
      const body = await json(req);
      const { success, data } = z.array(zipkinSpan).safeParse(body);
      collector.paths.push(req.url ?? "");
      if (success) collector.spans.push(...data);
      else collector.invalid.push(body);
      collector.respond(res);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return collector;
  }

  /** Its address for spans. */
  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The collector has no port.");
    return `http://127.0.0.1:${address.port}/api/v2/spans`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** Returns the names of a span and its ancestors, first the trace's first span. Ends at a missing parent with "?". */
export function ancestry(spans: readonly ZipkinSpan[], span: ZipkinSpan): string[] {
  const { parentId } = span;
  if (parentId === undefined) return [span.name];
  const parent = spans.find(({ id, traceId }) => id === parentId && traceId === span.traceId);
  return [...(parent ? ancestry(spans, parent) : ["?"]), span.name];
}
