import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer as createHttp2Server } from "node:http2";
import { connect as connectSocket, createServer, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { createWebSocketStream, WebSocket, WebSocketServer } from "ws";
import { forwardStreams } from "../../../cli/cloud/forward-streams.ts";
import { Tunnel } from "../../../services/gateway/tunnels/tunnel.ts";
import { addressPolicy } from "../../../shared/capture/network/address-guard.ts";
import type { EgressProxy } from "../../../shared/capture/network/egress.ts";
import { startEgressProxy } from "../../../shared/capture/network/egress-proxy.ts";
import { SiteTunnel } from "../../../shared/capture/tunnel/site-tunnel.ts";
import { TunnelUse } from "../../../shared/capture/tunnel/tunnel-use.ts";
import {
  MAX_CHUNK_BYTES,
  type TunnelBus,
  type TunnelRequest,
} from "../../../shared/contracts/runs/tunnels.ts";
import { freePort } from "../../support/drivers/free-port.ts";
import { until } from "../../support/drivers/until.ts";

const MEBIBYTE = 1024 * 1024;
const MOST_STREAMS = 256;

describe("A tunnel to a local application", () => {
  let application: Server;
  let url: URL;
  let sockets: WebSocketServer;
  const connections = new Set<Socket>();
  let onConnection = (socket: Socket): void => void socket.pipe(socket);

  before(async () => {
    application = createServer({ allowHalfOpen: true }, socket => {
      connections.add(socket);
      socket.on("error", () => {}).once("close", () => connections.delete(socket));
      onConnection(socket);
    });
    const port = await freePort();
    application.listen(0, "127.0.0.1");
    sockets = new WebSocketServer({ host: "127.0.0.1", port, perMessageDeflate: false });
    await Promise.all([once(application, "listening"), once(sockets, "listening")]);
    const address = application.address();
    url = new URL(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
  });
  beforeEach(() => {
    onConnection = socket => void socket.pipe(socket);
  });
  after(async () => {
    for (const socket of connections) socket.destroy();
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
    application.close();
    await once(application, "close");
  });

  /** Returns both ends of a WebSocket: the service's, and the command line's. */
  const webSocket = async (): Promise<[service: Duplex, tool: Duplex]> => {
    const client = new WebSocket(`ws://127.0.0.1:${sockets.options.port}`, { perMessageDeflate: false });
    const [[server]] = await Promise.all([once(sockets, "connection"), once(client, "open")]);
    return [createWebSocketStream(server), createWebSocketStream(client)];
  };

  /** Returns both ends of a tunnel, and the renderer's way to it. */
  const open = async (to = url) => {
    const [service, tool] = await webSocket();
    forwardStreams(tool, to);
    const tunnel = new Tunnel(service);
    const requests: TunnelRequest[] = [];
    let held: Tunnel | null = tunnel;
    const bus: TunnelBus = {
      serve: async () => () => {},
      request: async (_key, request) => {
        requests.push(request);
        return (await held?.handle(request)) ?? null;
      },
    };
    const site = new SiteTunnel(bus, "key", "http://localhost:3000", 500);
    const lose = () => {
      held = null;
      tunnel.close();
    };
    const replace = async (): Promise<void> => {
      const [service, tool] = await webSocket();
      forwardStreams(tool, to);
      held = new Tunnel(service);
    };
    return { site, tunnel, requests, lose, replace };
  };

  it("passes bytes in both directions, in pieces of bounded size, and their ends", async () => {
    const { site, requests } = await open();
    const { socket } = await site.connect();
    const sent = Buffer.alloc(5 * MEBIBYTE, "0123456789");
    socket.end(sent);
    const parts: Buffer[] = [];
    for await (const part of socket) parts.push(part);
    assert.ok(Buffer.concat(parts).equals(sent));
    const written = requests.flatMap(request => (request.op === "write" ? [request.data.length] : []));
    assert.ok(written.length > 10 && written.every(length => length <= MAX_CHUNK_BYTES), String(written));
    assert.ok(parts.every(({ length }) => length <= MAX_CHUNK_BYTES));
    await until(() => connections.size === 0);
  });

  it("sends no more than the reader takes", async () => {
    let written = 0;
    onConnection = socket => {
      const write = (): void => {
        written += MEBIBYTE;
        if (written < 200 * MEBIBYTE) socket.write(Buffer.alloc(MEBIBYTE), write);
      };
      write();
    };
    const { site } = await open();
    const { socket } = await site.connect();
    await once(socket, "readable");
    await delay(300);
    assert.ok(written < 40 * MEBIBYTE, `${written / MEBIBYTE} MiB`);
    socket.destroy();
    await until(() => connections.size === 0);
  });

  it("reaches only its application, whatever the service asks for", async () => {
    onConnection = socket => void socket.end("the application");
    const neighbor = createServer(() => assert.fail("The neighbor was reached."));
    neighbor.listen(0, "127.0.0.1");
    await once(neighbor, "listening");
    const address = neighbor.address();
    const port = typeof address === "object" ? address?.port : 0;
    const [service, tool] = await webSocket();
    forwardStreams(tool, url);
    const session = connect("http://tunnel", { createConnection: () => service });
    for (const headers of [
      { ":method": "CONNECT", ":authority": `127.0.0.1:${port}` },
      { ":method": "GET", ":authority": `127.0.0.1:${port}`, ":path": "/", ":scheme": "http" },
    ])
      assert.equal(await text(session.request(headers)), "the application");
    session.destroy();
    neighbor.close();
  });

  it("tells a refused connection from an interrupted tunnel", async () => {
    const refused = await open(new URL(`http://127.0.0.1:${await freePort()}`));
    await assert.rejects(refused.site.connect(), /the local application refused the connection/);
    const { site, lose } = await open();
    const use = new TunnelUse(site);
    const socket = await use.connect();
    lose();
    socket.resume();
    const [error] = await once(socket, "error");
    assert.equal(error.name, "TunnelLostError");
    assert.equal(use.loss, "cut");
  });

  it("doesn't take a reset by the application for an interruption", async () => {
    onConnection = socket => void socket.once("data", () => socket.resetAndDestroy());
    const { site } = await open();
    const use = new TunnelUse(site);
    const socket = await use.connect();
    socket.write("x");
    socket.resume();
    const [error] = await once(socket, "error");
    assert.notEqual(error.name, "TunnelLostError");
    assert.equal(use.loss, null);
  });

  it("notices an interruption without an open connection, and forgets it for the next page", async () => {
    const { site, lose, replace } = await open();
    const use = new TunnelUse(site);
    (await use.connect()).destroy();
    await use.confirm();
    assert.equal(use.loss, null);
    lose();
    await replace();
    await use.confirm();
    assert.equal(use.loss, "cut");
    use.reset();
    await use.confirm();
    assert.equal(use.loss, null);
  });

  it("isn't cut for the next page if it reconnected between two pages", async () => {
    const { site, lose, replace } = await open();
    const use = new TunnelUse(site);
    (await use.connect()).destroy();
    lose();
    await replace();
    use.reset();
    (await use.connect()).destroy();
    await use.confirm();
    assert.equal(use.loss, null);
  });

  it("is waited for once by all pages", async () => {
    const { site, lose, replace } = await open();
    lose();
    const waiting = site.connect();
    await delay(200);
    await replace();
    (await waiting).socket.destroy();
    const gone = await open();
    gone.lose();
    await assert.rejects(gone.site.connect(), { name: "TunnelLostError" });
    const startedAt = performance.now();
    await assert.rejects(gone.site.connect(), { name: "TunnelLostError" });
    assert.ok(performance.now() - startedAt < 300, "the second page doesn't wait");
  });

  it("has a bounded number of connections, and frees them", async () => {
    const { tunnel } = await open();
    const answers = [];
    for (let count = 0; count <= MOST_STREAMS; count++) answers.push(await tunnel.handle({ op: "open" }));
    assert.deepEqual(answers.pop(), { is: "busy" });
    const [first] = answers;
    assert.ok(first?.is === "opened");
    await tunnel.handle({ op: "close", stream: first.stream });
    assert.equal((await tunnel.handle({ op: "open" })).is, "opened");
    tunnel.close();
  });

  it("is lost once its command line announces the end", async () => {
    const [service, tool] = await webSocket();
    const server = createHttp2Server().on("session", session => session.goaway());
    server.emit("connection", tool);
    const tunnel = new Tunnel(service);
    await until(async () => (await tunnel.handle({ op: "open" })).is === "lost");
    tunnel.close();
  });

  it("survives a command line that speaks something else", async () => {
    for (const garbage of ["HTTP/1.1 200 OK\r\n\r\n", "\0".repeat(100_000)]) {
      const [service, tool] = await webSocket();
      tool.resume().on("error", () => {});
      const tunnel = new Tunnel(service);
      tool.write(garbage);
      const answer = await tunnel.handle({ op: "open" });
      assert.ok(answer.is === "lost" || answer.is === "refused", answer.is);
      tunnel.close();
    }
  });

  describe("behind the proxy of its pages", () => {
    let proxy: EgressProxy;

    before(async () => {
      const { site } = await open();
      proxy = await startEgressProxy({ policy: addressPolicy([]), maxBytes: MEBIBYTE, tunnel: site });
    });
    after(() => proxy?.close());

    /** Sends bytes to the proxy and returns what it answers. */
    const exchange = async (bytes: string) => {
      const socket = connectSocket(Number(new URL(proxy.url).port), "127.0.0.1");
      socket.write(bytes);
      const [answer] = await once(socket, "data");
      return { socket, answer: String(answer) };
    };
    const connectTo = (authority: string) =>
      exchange(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);

    it("passes WebSockets and TLS to the application, and nothing to other hosts and ports", async () => {
      const { socket, answer } = await connectTo("localhost:3000");
      assert.match(answer, /^HTTP\/1\.1 200 /);
      socket.write("hello");
      const [echo] = await once(socket, "data");
      assert.equal(String(echo), "hello");
      socket.destroy();
      const reached = connections.size;
      for (const authority of ["localhost:3001", "127.0.0.1:3000", "169.254.169.254:80", "[::1]:3000"]) {
        const refused = await connectTo(authority);
        assert.match(refused.answer, /^HTTP\/1\.1 403 /, authority);
        refused.socket.destroy();
      }
      assert.ok(connections.size <= reached);
    });

    it("passes plain requests with the application's own host name", async () => {
      onConnection = socket =>
        void socket.once("data", (head: Buffer) => {
          const { length } = head;
          socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${head}`);
        });
      const request = "GET http://localhost:3000/a?b HTTP/1.1\r\nHost: localhost:3000\r\n\r\n";
      const { socket, answer } = await exchange(request);
      assert.match(answer, /^HTTP\/1\.1 200 /);
      const echoed = answer.includes("GET /a?b") ? answer : String((await once(socket, "data"))[0]);
      assert.match(echoed, /GET \/a\?b HTTP\/1\.1/);
      assert.match(echoed, /host: localhost:3000/i);
      socket.destroy();
      assert.equal(proxy.tunnel.loss, null);
    });

    it("counts the bytes of the application for the page's limit", async () => {
      onConnection = socket => void socket.end(Buffer.alloc(2 * MEBIBYTE));
      const { socket } = await connectTo("localhost:3000");
      await once(socket.resume(), "close");
      assert.equal(proxy.exceeded, true);
      proxy.resetBytes();
    });
  });
});
