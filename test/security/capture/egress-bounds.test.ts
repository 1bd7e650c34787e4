import assert from "node:assert/strict";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import {
  connectThrough,
  echo,
  getThrough,
  type Site,
  sendRaw,
  startShop,
  type TestContext,
  type TestContextOptions,
} from "../../support/contexts/egress-context.ts";

const MIB = 1024 * 1024;

describe("limits of the egress proxy", () => {
  let site: Site;
  let context: TestContext;

  async function start(handler: RequestListener, options: TestContextOptions = {}): Promise<void> {
    ({ site, context } = await startShop(handler, options));
  }

  afterEach(async () => {
    await context.proxy.close();
    await site.close();
  });

  /** Sends 500 MB as fast as the client reads. */
  const flood: RequestListener = (_request, response) => {
    const chunk = Buffer.alloc(MIB);
    let left = 500;
    const more = () => {
      while (left-- > 0) if (!response.write(chunk)) return void response.once("drain", more);
      response.end();
    };
    more();
  };

  it("cuts a page off at its byte limit until resetBytes", async () => {
    await start((request, response) => (request.url === "/" ? flood : echo)(request, response), {
      maxBytes: 5 * MIB,
    });
    await assert.rejects(getThrough(context.proxy, "http://shop.example/"), { code: "ECONNRESET" });
    assert.equal(context.proxy.exceeded, true);
    assert.ok(context.proxy.bytes > 5 * MIB && context.proxy.bytes < 6 * MIB, `${context.proxy.bytes}`);
    const refused = await getThrough(context.proxy, "http://shop.example/small");
    assert.equal(refused.status, 403);
    assert.match(refused.body, /^the page loaded more than 5,242,880 bytes$/m);
    assert.equal(await connectThrough(context.proxy, "shop.example:443"), 403);
    context.proxy.resetBytes();
    assert.equal((await getThrough(context.proxy, "http://shop.example/small")).status, 200);
    assert.equal(context.proxy.exceeded, false);
    assert.ok(context.proxy.bytes < 1000);
  });

  it("cuts tunnels off at the byte limit too", async () => {
    await start(flood, { maxBytes: 5 * MIB });
    const socket = await sendRaw(
      context.proxy,
      "CONNECT shop.example:80 HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
    );
    socket.on("error", () => {}).resume();
    await once(socket, "close");
    assert.equal(context.proxy.exceeded, true);
    assert.ok(context.proxy.bytes < 6 * MIB);
  });

  for (const how of ["asked plainly", "in a tunnel"]) {
    it(`reads from a site only as fast as the browser reads, ${how}`, async () => {
      let sent = 0;
      const chunk = Buffer.alloc(MIB);
      const { promise: stalled, resolve: stall } = Promise.withResolvers<void>();
      await start((_request, response) => {
        const more = () => {
          sent += 1;
          if (sent === 200) {
            stall();
            response.end();
            return;
          }
          // The client has stopped reading once a chunk stays in the buffer this long.
          const timer = setTimeout(stall, 300);
          response.write(chunk, () => {
            clearTimeout(timer);
            more();
          });
        };
        more();
      });
      const get = "GET http://shop.example/ HTTP/1.1\r\nHost: shop.example\r\n\r\n";
      const socket = await sendRaw(
        context.proxy,
        how === "in a tunnel" ? `CONNECT shop.example:80 HTTP/1.1\r\n\r\n${get}` : get,
      );
      socket.pause();
      await stalled;
      assert.ok(sent < 30, `${sent} MiB went into buffers`);
      let received = 0;
      for await (const data of socket) {
        received += data.length;
        if (received >= 190 * MIB) break;
      }
      socket.destroy();
    });
  }

  it("survives clients that send garbage or disconnect", async () => {
    await start(echo);
    const garbage = [
      "\0\x01\x02\xff\r\n\r\n",
      "GET\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n",
      `GET http://shop.example/ HTTP/1.1\r\nX: ${"a".repeat(100_000)}\r\n\r\n`,
      "POST http://shop.example/ HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "CONNECT / HTTP/1.1\r\n\r\n",
      "CONNECT shop.example HTTP/1.1\r\n\r\n",
      "CONNECT user@shop.example:443 HTTP/1.1\r\n\r\n",
      "CONNECT shop.example:99999 HTTP/1.1\r\n\r\n",
      "CONNECT 127.0.0.1:80#@shop.example:443 HTTP/1.1\r\n\r\n",
      "GET /live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    ];
    for (const bytes of garbage) {
      const socket = await sendRaw(context.proxy, bytes);
      const response = await text(socket.on("error", () => {})).catch(() => "");
      assert.match(response, /^(HTTP\/1\.1 4\d\d .*)?$/s, bytes.slice(0, 60));
    }
    assert.deepEqual(context.dialed, []);

    const tunnel = await sendRaw(
      context.proxy,
      "CONNECT shop.example:443 HTTP/1.1\r\n\r\n\x16\x03garbage\r\n\r\n",
    );
    assert.match(await text(tunnel), /^HTTP\/1\.1 200 .*HTTP\/1\.1 400/s);
    const vanishing = await sendRaw(context.proxy, "CONNECT shop.example:443 HTTP/1.1\r\n\r\n");
    vanishing.resetAndDestroy();
    assert.equal((await getThrough(context.proxy, "http://shop.example/")).status, 200);
  });

  it("responds 502 for sites without HTTP, and continues", async () => {
    const responses = ["garbage\r\n\r\n", "HTTP/1.1 999999 No\r\n\r\n", "HTTP/1.1 200 \0\r\n\r\n", ""];
    await start((request, _response) => void request.socket.end(responses.shift() ?? ""));
    while (responses.length > 0)
      assert.equal((await getThrough(context.proxy, "http://shop.example/")).status, 502);
  });

  it("closes the site's connection with the browser's, and closes all connections when it closes", async () => {
    await start(() => {});
    const hanging = getThrough(context.proxy, "http://shop.example/hangs");
    hanging.catch(() => {});
    const [first] = await once(site.server, "connection");
    const tunnel = await sendRaw(context.proxy, "CONNECT shop.example:443 HTTP/1.1\r\n\r\n");
    const [second] = await once(site.server, "connection");
    tunnel.resetAndDestroy();
    await once(second, "close");
    const firstClosed = once(first, "close");
    await context.proxy.close();
    await firstClosed;
    await assert.rejects(hanging);
    await assert.rejects(getThrough(context.proxy, "http://shop.example/"), { code: "ECONNREFUSED" });
  });
});
