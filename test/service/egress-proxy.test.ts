import assert from "node:assert/strict";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import {
  connectThrough,
  getThrough,
  PUBLIC_IP,
  type Rig,
  type RigOptions,
  type Site,
  sendRaw,
  startRig,
  startSite,
} from "../support/egress-rig.ts";

const MIB = 1024 * 1024;

describe("egress proxy", () => {
  let site: Site;
  let rig: Rig;

  /** One site that answers as told, behind PUBLIC_IP and every public name. */
  async function start(handler: RequestListener, options: RigOptions = {}): Promise<void> {
    site = await startSite(handler);
    rig = await startRig(site, { ...options, names: { "shop.example": [[PUBLIC_IP]], ...options.names } });
  }

  const echo: RequestListener = async (request, response) => {
    const body = await text(request);
    response.setHeader("X-Seen", JSON.stringify(request.rawHeaders));
    response.end(`${request.method} ${request.url} ${body}`);
  };

  afterEach(async () => {
    await rig.proxy.close();
    await site.close();
  });

  describe("what it refuses", () => {
    const table = [
      ["127.0.0.1", "127.9.9.9", "[::1]", "localhost", "localhost.localdomain", "LOCALHOST.", "a.localhost"],
      ["169.254.169.254", "10.0.0.1", "172.16.0.1", "192.168.0.1", "[fc00::1]", "[fe80::1]", "100.64.0.1"],
      [
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "0.0.0.0",
        "0.1.2.3",
        "metadata",
        "metadata.google.internal.",
      ],
      [
        "2130706433",
        "0x7f.1",
        "0x7f000001",
        "0177.0.0.1",
        "127.1",
        "0",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::7f00:1]",
      ],
    ];

    it("refuses every row of the table, asked plainly or for a tunnel, and connects to nothing", async () => {
      await start(echo);
      for (const host of table.flat()) {
        for (const port of [80, 443, site.port]) {
          assert.equal((await getThrough(rig.proxy, `http://${host}:${port}/`)).status, 403, host);
          assert.equal(await connectThrough(rig.proxy, `${host}:${port}`), 403, host);
          assert.ok(rig.proxy.refusal(new URL(`http://${host}:${port}/`)), host);
        }
      }
      assert.deepEqual(rig.dialled, []);
      assert.equal(site.connections(), 0);
    });

    const privateAnswers = [
      ["127.0.0.1"],
      ["::1"],
      ["::ffff:127.0.0.1"],
      ["64:ff9b::a00:1"],
      ["169.254.169.254"],
      [PUBLIC_IP, "10.0.0.1"],
      ["fd00::1", PUBLIC_IP],
      ["not an address"],
    ];
    for (const answer of privateAnswers) {
      it(`refuses a name that answers ${answer.join(" and ")}`, async () => {
        await start(echo, { names: { "evil.example": [answer] } });
        const reply = await getThrough(rig.proxy, "http://evil.example/");
        assert.equal(reply.status, 403);
        assert.match(reply.body, /^evil\.example resolves to (an?|no) /);
        assert.equal(await connectThrough(rig.proxy, "evil.example:443"), 403);
        assert.equal(`${rig.proxy.refusal(new URL("https://evil.example/x"))}\n`, reply.body);
        assert.deepEqual(rig.dialled, []);
      });
    }

    it("never connects to what a name answers after it was checked", async () => {
      await start(echo, { names: { "rebind.example": [[PUBLIC_IP], ["127.0.0.1"]] } });
      const url = `http://rebind.example:${site.port}/`;
      assert.equal((await getThrough(rig.proxy, url)).status, 200);
      // Through the pooled connection, then past it: new connections ask for the name anew.
      assert.equal((await getThrough(rig.proxy, url)).status, 200);
      assert.equal(await connectThrough(rig.proxy, `rebind.example:${site.port}`), 403);
      site.server.closeAllConnections();
      assert.equal((await getThrough(rig.proxy, url)).status, 403);
      assert.deepEqual(rig.dialled, [PUBLIC_IP]);
    });

    it("refuses ports without pages, other schemes and credentials", async () => {
      await start(echo);
      for (const url of [
        "http://shop.example:22/",
        "ftp://shop.example/",
        "file:///etc/passwd",
        "http://a:b@shop.example/",
      ]) {
        assert.equal((await getThrough(rig.proxy, url)).status, 403, url);
      }
      assert.equal(await connectThrough(rig.proxy, "shop.example:25"), 403);
      assert.deepEqual(rig.dialled, []);
    });
  });

  describe("the allow-list", () => {
    it("opens the private host and port it names, and nothing beside", async () => {
      await start(echo);
      const { port } = site;
      const names = { localhost: [["127.0.0.1"]], "other.example": [["127.0.0.1"]] };
      const { proxy, dialled } = await startRig(site, { allow: [`localhost:${port}`], names });
      try {
        assert.equal((await getThrough(proxy, `http://localhost:${port}/`)).status, 200);
        assert.equal(await connectThrough(proxy, `localhost:${port}`), 200);
        const opened = dialled.length;
        for (const host of [
          `127.0.0.1:${port}`,
          "127.0.0.1:5432",
          "localhost:5432",
          `other.example:${port}`,
        ]) {
          assert.equal((await getThrough(proxy, `http://${host}/`)).status, 403, host);
          assert.equal(await connectThrough(proxy, host), 403, host);
        }
        assert.equal(dialled.length, opened);
      } finally {
        await proxy.close();
      }
    });

    it("lets a name open the operator's networks, but not metadata services", async () => {
      const names = {
        "a.corp": [["127.0.0.1"]],
        "b.corp": [["169.254.169.254"]],
        "c.corp": [["::ffff:10.0.0.1"]],
      };
      await start(echo, { allow: ["a.corp", "b.corp", "c.corp"], names });
      assert.equal((await getThrough(rig.proxy, `http://a.corp:${site.port}/`)).status, 200);
      assert.equal((await getThrough(rig.proxy, `http://b.corp:${site.port}/`)).status, 403);
      assert.equal((await getThrough(rig.proxy, `http://c.corp:${site.port}/`)).status, 403);
    });
  });

  describe("what it hands on", () => {
    it("asks the site as the browser asked, without the headers of their connection", async () => {
      await start(echo);
      const reply = await getThrough(rig.proxy, "http://shop.example/a?b=c%20d", {
        method: "POST",
        body: "all of it",
        headers: {
          host: "lie.example",
          "proxy-connection": "keep-alive",
          "proxy-authorization": "Basic c2VjcmV0",
          connection: "x-mine",
          "x-mine": "1",
          "x-kept": "2",
        },
      });
      assert.equal(reply.body, "POST /a?b=c%20d all of it");
      const seen: string[] = JSON.parse(String(reply.headers["x-seen"]));
      const names = seen.filter((_, i) => i % 2 === 0).map(name => name.toLowerCase());
      assert.deepEqual(names.toSorted(), ["connection", "content-length", "host", "x-kept"]);
      assert.equal(seen[seen.indexOf("Host") + 1], "shop.example");
      assert.equal(rig.proxy.refusal(new URL("http://shop.example/")), null);
    });

    it("keeps the body of a chunked DELETE inside its request", async () => {
      await start(echo);
      const body = "GET /smuggled HTTP/1.1\r\nHost: shop.example\r\n\r\n";
      const headers = { "transfer-encoding": "chunked" };
      const reply = await getThrough(rig.proxy, "http://shop.example/", { method: "DELETE", body, headers });
      assert.equal(reply.body, `DELETE / ${body}`);
    });

    it("uses one connection for requests that follow each other", async () => {
      await start(echo);
      for (let i = 0; i < 40; i++)
        assert.equal((await getThrough(rig.proxy, `http://shop.example/${i}`)).status, 200);
      assert.equal(site.connections(), 1);
    });

    it("asks again when a pooled connection was closed under it", async () => {
      let asked = 0;
      await start((request, response) => {
        asked += 1;
        if (asked === 2) request.socket.destroy();
        else response.end("here");
      });
      await getThrough(rig.proxy, "http://shop.example/");
      assert.equal((await getThrough(rig.proxy, "http://shop.example/")).body, "here");
      assert.equal(asked, 3);
    });

    it("passes an upgrade on, asked plainly", async () => {
      await start(echo);
      site.server.on("upgrade", (request, socket, head) => {
        socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
        socket.write(`${request.headers.upgrade} ${request.url} ${head}`);
        socket.pipe(socket);
      });
      const head =
        "GET ws://shop.example/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n";
      const socket = await sendRaw(rig.proxy, `${head}early`);
      let received = "";
      for await (const chunk of socket) {
        received += chunk;
        if (received.endsWith("early")) break;
      }
      assert.match(received, /^HTTP\/1\.1 101 .*echo \/live early$/s);
    });

    it("tries the next checked address when one does not answer", async () => {
      await start(echo, { allow: ["two.corp"], names: { "two.corp": [["127.0.0.2", "127.0.0.1"]] } });
      assert.equal((await getThrough(rig.proxy, `http://two.corp:${site.port}/`)).status, 200);
      assert.deepEqual(rig.dialled, ["127.0.0.2", "127.0.0.1"]);
    });

    it("tells names that do not resolve and hosts that do not answer from refused ones", async () => {
      await start(echo, { allow: ["dead.corp"], names: { "dead.corp": [["127.0.0.2"]] } });
      const dead = `dead.corp:${site.port}`;
      for (const host of ["gone.example", dead]) {
        assert.equal((await getThrough(rig.proxy, `http://${host}/`)).status, 502);
        assert.equal(await connectThrough(rig.proxy, host === dead ? dead : `${host}:443`), 502);
        assert.equal(rig.proxy.refusal(new URL(`http://${host}/`)), null);
      }
      assert.equal(
        rig.proxy.failure(new URL("https://gone.example/")),
        "the name gone.example does not resolve",
      );
      assert.equal(
        rig.proxy.failure(new URL(`http://${dead}/`)),
        `nobody answers at ${dead}, the connection was refused`,
      );
    });
  });

  describe("its bounds", () => {
    /** Sends 500 MB as fast as it is taken. */
    const flood: RequestListener = (_request, response) => {
      const chunk = Buffer.alloc(MIB);
      let left = 500;
      const more = () => {
        while (left-- > 0) if (!response.write(chunk)) return void response.once("drain", more);
        response.end();
      };
      more();
    };

    it("cuts a page off at its bound, and begins anew when told", async () => {
      await start((request, response) => (request.url === "/" ? flood : echo)(request, response), {
        maxBytes: 5 * MIB,
      });
      await assert.rejects(getThrough(rig.proxy, "http://shop.example/"), { code: "ECONNRESET" });
      assert.equal(rig.proxy.exceeded, true);
      assert.ok(rig.proxy.bytes > 5 * MIB && rig.proxy.bytes < 6 * MIB, `${rig.proxy.bytes}`);
      const refused = await getThrough(rig.proxy, "http://shop.example/small");
      assert.equal(refused.status, 403);
      assert.match(refused.body, /more than 5242880 bytes/);
      assert.equal(await connectThrough(rig.proxy, "shop.example:443"), 403);
      rig.proxy.resetBytes();
      assert.equal((await getThrough(rig.proxy, "http://shop.example/small")).status, 200);
      assert.equal(rig.proxy.exceeded, false);
      assert.ok(rig.proxy.bytes < 1000);
    });

    it("cuts tunnels off too", async () => {
      await start(flood, { maxBytes: 5 * MIB });
      const socket = await sendRaw(
        rig.proxy,
        "CONNECT shop.example:80 HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
      );
      socket.on("error", () => {}).resume();
      await once(socket, "close");
      assert.equal(rig.proxy.exceeded, true);
      assert.ok(rig.proxy.bytes < 6 * MIB);
    });

    for (const how of ["asked plainly", "in a tunnel"]) {
      it(`takes no more from a site than the browser takes from it, ${how}`, async () => {
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
            // Nothing more is taken once a chunk stays in the buffer for this long.
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
          rig.proxy,
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

    it("outlives clients that talk garbage or vanish", async () => {
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
        const socket = await sendRaw(rig.proxy, bytes);
        const answer = await text(socket.on("error", () => {})).catch(() => "");
        assert.match(answer, /^(HTTP\/1\.1 4\d\d .*)?$/s, bytes.slice(0, 60));
      }
      assert.deepEqual(rig.dialled, []);

      const tunnel = await sendRaw(
        rig.proxy,
        "CONNECT shop.example:443 HTTP/1.1\r\n\r\n\x16\x03garbage\r\n\r\n",
      );
      assert.match(await text(tunnel), /^HTTP\/1\.1 200 .*HTTP\/1\.1 400/s);
      const vanishing = await sendRaw(rig.proxy, "CONNECT shop.example:443 HTTP/1.1\r\n\r\n");
      vanishing.resetAndDestroy();
      assert.equal((await getThrough(rig.proxy, "http://shop.example/")).status, 200);
    });

    it("answers 502 to sites that talk no HTTP, and goes on", async () => {
      const answers = ["garbage\r\n\r\n", "HTTP/1.1 999999 No\r\n\r\n", "HTTP/1.1 200 \0\r\n\r\n", ""];
      await start((request, _response) => void request.socket.end(answers.shift() ?? ""));
      while (answers.length > 0)
        assert.equal((await getThrough(rig.proxy, "http://shop.example/")).status, 502);
    });

    it("closes the site's end with the browser's, and ends what it holds when closed", async () => {
      await start(() => {});
      const hanging = getThrough(rig.proxy, "http://shop.example/hangs");
      hanging.catch(() => {});
      const [first] = await once(site.server, "connection");
      const tunnel = await sendRaw(rig.proxy, "CONNECT shop.example:443 HTTP/1.1\r\n\r\n");
      const [second] = await once(site.server, "connection");
      tunnel.resetAndDestroy();
      await once(second, "close");
      const firstClosed = once(first, "close");
      await rig.proxy.close();
      await firstClosed;
      await assert.rejects(hanging);
      await assert.rejects(getThrough(rig.proxy, "http://shop.example/"), { code: "ECONNREFUSED" });
    });
  });
});
