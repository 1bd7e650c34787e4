import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A proxy to a server that can be cut: data is then dropped silently in both directions. */
export class TcpProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param to the server's local port */
  static async start(to: number): Promise<TcpProxy> {
    const server = createServer();
    const proxy = new TcpProxy(server);
    server.on("connection", socket => proxy.#join(socket, connect(to, "127.0.0.1")));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
    return address.port;
  }

  /** Drops all data from now on. */
  cut(): void {
    this.#isCut = true;
  }

  /** Forwards data again, on new connections. Old ones miss the dropped data. */
  heal(): void {
    this.#isCut = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.heal();
    this.#server.close();
    await once(this.#server, "close");
  }

  #join(one: Socket, other: Socket): void {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      this.#sockets.add(from);
      from.on("data", data => {
        if (!this.#isCut) to.write(data);
      });
      from.on("error", () => {});
      from.on("close", () => {
        this.#sockets.delete(from);
        if (!this.#isCut) to.destroy();
      });
    }
  }
}
