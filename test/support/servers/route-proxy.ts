import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { freePort } from "../drivers/free-port.ts";

/** A route's first line, from both sides. */
const NAME = /"server_name":"([^"]+)"/;

interface Route {
  sockets: [Socket, Socket];
  /** The server that opened it. Null until it has sent its name. */
  from: string | null;
}

/** A proxy in front of the port where a NATS server accepts routes. It can cut the routes of one server. */
export class RouteProxy {
  readonly port: number;
  readonly #target: string;
  readonly #server = createServer();
  readonly #routes = new Set<Route>();
  #cut: string | null = null;

  private constructor(port: number, target: string) {
    this.port = port;
    this.#target = target;
  }

  /** @param target name of the server behind it @param targetPort where that server accepts routes */
  static async start(target: string, targetPort: number): Promise<RouteProxy> {
    const proxy = new RouteProxy(await freePort(), target);
    proxy.#server.on("connection", socket => proxy.#connect(socket, targetPort));
    await once(proxy.#server.listen(proxy.port, "127.0.0.1"), "listening");
    return proxy;
  }

  /** Closes the server's routes through this proxy, and rejects new ones. */
  cut(name: string): void {
    this.#cut = name;
    for (const route of this.#routes) this.#endIfCut(route);
  }

  heal(): void {
    this.#cut = null;
  }

  async close(): Promise<void> {
    for (const { sockets } of this.#routes) for (const socket of sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #connect(socket: Socket, targetPort: number): void {
    const route: Route = { sockets: [socket, connect(targetPort, "127.0.0.1")], from: null };
    this.#routes.add(route);
    const [from, to] = route.sockets;
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      one.on("error", () => {});
      one.once("close", () => {
        this.#routes.delete(route);
        other.destroy();
      });
    }
    from.on("data", bytes => {
      route.from ??= NAME.exec(bytes.toString("latin1"))?.[1] ?? null;
      this.#endIfCut(route);
      if (!to.destroyed) to.write(bytes);
    });
    to.on("data", bytes => void (from.destroyed || from.write(bytes)));
    this.#endIfCut(route);
  }

  #endIfCut(route: Route): void {
    if (this.#cut === null || (this.#cut !== this.#target && this.#cut !== route.from)) return;
    for (const socket of route.sockets) socket.destroy();
  }
}
