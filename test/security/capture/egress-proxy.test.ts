import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import type { Socket } from "node:net";
import {
  connectThrough,
  echo,
  getThrough,
  PUBLIC_IP,
  type Site,
  sendRaw,
  startShop,
  startTestContext,
  type TestContext,
  type TestContextOptions,
} from "../../support/contexts/egress-context.ts";

describe("egress proxy", () => {
  let site: Site;
  let context: TestContext;

  async function start(handler: RequestListener, options: TestContextOptions = {}): Promise<void> {
    ({ site, context } = await startShop(handler, options));
  }

  afterEach(async () => {
    await context.proxy.close();
    await site.close();
  });

  describe("refusals", () => {
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

    it("refuses every row of the table, plain or as a tunnel, without connecting", async () => {
      await start(echo);
      for (const host of table.flat()) {
        for (const port of [80, 443, site.port]) {
          assert.equal((await getThrough(context.proxy, `http://${host}:${port}/`)).status, 403, host);
          assert.equal(await connectThrough(context.proxy, `${host}:${port}`), 403, host);
          assert.ok(context.proxy.refusal(new URL(`http://${host}:${port}/`)), host);
        }
      }
      assert.deepEqual(context.dialed, []);
      assert.equal(site.connections(), 0);
    });

    const privateAddresses = [
      ["127.0.0.1"],
      ["::1"],
      ["::ffff:127.0.0.1"],
      ["64:ff9b::a00:1"],
      ["169.254.169.254"],
      [PUBLIC_IP, "10.0.0.1"],
      ["fd00::1", PUBLIC_IP],
      ["not an address"],
    ];
    for (const addresses of privateAddresses) {
      it(`refuses a name that resolves to ${addresses.join(" and ")}`, async () => {
        await start(echo, { names: { "evil.example": [addresses] } });
        // The texts, the status and the kind of failure equal those of a name that does not exist.
        for (const host of ["evil.example", "gone.example"]) {
          const words = `${host} does not resolve to a public address`;
          const reply = await getThrough(context.proxy, `http://${host}/`);
          assert.deepEqual([reply.status, reply.body], [502, `${words}\n`]);
          assert.equal(await connectThrough(context.proxy, `${host}:443`), 502);
          assert.equal(context.proxy.failure(new URL(`https://${host}/x`)), words);
          assert.equal(context.proxy.refusal(new URL(`https://${host}/x`)), null);
        }
        assert.deepEqual(context.dialed, []);
        // The operator's log says which case it was, once.
        assert.equal(context.unresolved.length, 2);
        assert.match(context.unresolved[0] ?? "", /^evil\.example resolves to (an?|no) /);
        assert.equal(context.unresolved[1], "gone.example does not resolve");
      });
    }

    it("never connects to an address that a name gets after the check", async () => {
      await start(echo, { names: { "rebind.example": [[PUBLIC_IP], ["127.0.0.1"]] } });
      const url = `http://rebind.example:${site.port}/`;
      assert.equal((await getThrough(context.proxy, url)).status, 200);
      // The first request uses the pooled connection, the second a new one: new connections resolve the name again.
      assert.equal((await getThrough(context.proxy, url)).status, 200);
      assert.equal(await connectThrough(context.proxy, `rebind.example:${site.port}`), 502);
      site.server.closeAllConnections();
      assert.equal((await getThrough(context.proxy, url)).status, 502);
      assert.deepEqual(context.dialed, [PUBLIC_IP]);
    });

    it("refuses this machine's own public addresses by number, by name and after a redirect", async () => {
      const own = new Set<string>();
      const redirect: RequestListener = (request, response) =>
        request.url === "/away"
          ? response.writeHead(302, { Location: "http://me.example/metrics" }).end()
          : echo(request, response);
      await start(redirect, { own: () => own, names: { "me.example": [["8.8.4.4"]] } });
      own.add("8.8.4.4").add("2606:4700:0:0:0:0:0:1111");
      for (const url of ["http://8.8.4.4/metrics", "http://[2606:4700::1111]/"])
        assert.equal((await getThrough(context.proxy, url)).status, 403, url);
      assert.equal((await getThrough(context.proxy, "http://me.example/metrics")).status, 502);
      assert.equal(await connectThrough(context.proxy, "8.8.4.4:443"), 403);
      const redirected = await getThrough(context.proxy, "http://shop.example/away");
      assert.equal((await getThrough(context.proxy, String(redirected.headers.location))).status, 502);
      assert.deepEqual(new Set(context.dialed), new Set([PUBLIC_IP]));
    });

    it("refuses an address as soon as this machine has it", async () => {
      const own = new Set<string>();
      await start(echo, { own: () => own });
      assert.equal((await getThrough(context.proxy, `http://${PUBLIC_IP}/`)).status, 200);
      own.add(PUBLIC_IP);
      assert.equal((await getThrough(context.proxy, `http://${PUBLIC_IP}/other`)).status, 403);
    });

    it("refuses networks that the operator denies, and addresses that embed theirs", async () => {
      await start(echo, {
        deny: ["8.8.0.0/16", "2606:4700::/32"],
        names: { "far.example": [["8.8.200.1"]] },
      });
      for (const host of [
        "8.8.0.1",
        "8.8.255.255",
        "far.example",
        "[2606:4700:1::1]",
        "[2003::5efe:808:808]",
      ])
        assert.equal(
          (await getThrough(context.proxy, `http://${host}/`)).status,
          host === "far.example" ? 502 : 403,
          host,
        );
      assert.deepEqual(context.dialed, []);
      assert.equal((await getThrough(context.proxy, "http://shop.example/")).status, 200);
    });

    it("refuses other ports, other schemes and credentials", async () => {
      await start(echo);
      for (const url of [
        "http://shop.example:22/",
        "ftp://shop.example/",
        "file:///etc/passwd",
        "http://a:b@shop.example/",
      ]) {
        assert.equal((await getThrough(context.proxy, url)).status, 403, url);
      }
      assert.equal(await connectThrough(context.proxy, "shop.example:25"), 403);
      assert.deepEqual(context.dialed, []);
    });
  });

  describe("allow-list", () => {
    it("allows only the private host and port that it names", async () => {
      await start(echo);
      const { port } = site;
      const names = { localhost: [["127.0.0.1"]], "other.example": [["127.0.0.1"]] };
      const { proxy, dialed } = await startTestContext(site, { allow: [`localhost:${port}`], names });
      try {
        assert.equal((await getThrough(proxy, `http://localhost:${port}/`)).status, 200);
        assert.equal(await connectThrough(proxy, `localhost:${port}`), 200);
        const opened = dialed.length;
        for (const host of [
          `127.0.0.1:${port}`,
          "127.0.0.1:5432",
          "localhost:5432",
          `other.example:${port}`,
        ]) {
          // A name with a private address gets the same response as one that does not exist.
          const status = host.startsWith("other.example") ? 502 : 403;
          assert.equal((await getThrough(proxy, `http://${host}/`)).status, status, host);
          assert.equal(await connectThrough(proxy, host), status, host);
        }
        assert.equal(dialed.length, opened);
      } finally {
        await proxy.close();
      }
    });

    it("allows a name to resolve to the operator's networks, but not to metadata services", async () => {
      const names = {
        "a.corp": [["127.0.0.1"]],
        "b.corp": [["169.254.169.254"]],
        "c.corp": [["::ffff:10.0.0.1"]],
      };
      await start(echo, { allow: ["a.corp", "b.corp", "c.corp"], names });
      assert.equal((await getThrough(context.proxy, `http://a.corp:${site.port}/`)).status, 200);
      assert.equal((await getThrough(context.proxy, `http://b.corp:${site.port}/`)).status, 502);
      assert.equal((await getThrough(context.proxy, `http://c.corp:${site.port}/`)).status, 502);
    });
  });

  describe("forwarding", () => {
    it("forwards the browser's request without the headers of its connection", async () => {
      await start(echo);
      const reply = await getThrough(context.proxy, "http://shop.example/a?b=c%20d", {
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
      assert.equal(context.proxy.refusal(new URL("http://shop.example/")), null);
    });

    it("keeps the body of a chunked DELETE inside its request", async () => {
      await start(echo);
      const body = "GET /smuggled HTTP/1.1\r\nHost: shop.example\r\n\r\n";
      const headers = { "transfer-encoding": "chunked" };
      const reply = await getThrough(context.proxy, "http://shop.example/", {
        method: "DELETE",
        body,
        headers,
      });
      assert.equal(reply.body, `DELETE / ${body}`);
    });

    it("uses one connection for sequential requests", async () => {
      await start(echo);
      for (let i = 0; i < 40; i++)
        assert.equal((await getThrough(context.proxy, `http://shop.example/${i}`)).status, 200);
      assert.equal(site.connections(), 1);
    });

    it("retries when a pooled connection was closed", async () => {
      let requests = 0;
      await start((request, response) => {
        requests += 1;
        if (requests === 2) request.socket.destroy();
        else response.end("here");
      });
      await getThrough(context.proxy, "http://shop.example/");
      assert.equal((await getThrough(context.proxy, "http://shop.example/")).body, "here");
      assert.equal(requests, 3);
    });

    it("waits longer for a response than the site keeps idle connections", async () => {
      await start((request, response) => {
        setTimeout(() => response.end("late"), request.url === "/slow" ? 1_500 : 0);
      });
      // It is sent in Keep-Alive, from which Node subtracts a second.
      site.server.keepAliveTimeout = 2_000;
      await getThrough(context.proxy, "http://shop.example/");
      const reply = await getThrough(context.proxy, "http://shop.example/slow");
      assert.deepEqual([reply.status, reply.body, site.connections()], [200, "late", 1]);
    });

    it("reports a site without a valid response as unreachable until it responds", async () => {
      const breaks: ((socket: Socket) => void)[] = [
        socket => socket.destroy(),
        socket => socket.end("garbage\r\n\r\n"),
        socket => socket.end("HTTP/1.1 999 No\r\nBad Name: 1\r\n\r\n"),
      ];
      const left = breaks.values();
      await start((request, response) => {
        const step = left.next();
        if (step.done) response.end("here");
        else step.value(request.socket);
      });
      const url = new URL("http://shop.example/");
      const failures: (string | null)[] = [];
      for (const _ of [...breaks, "responds"]) {
        await getThrough(context.proxy, url.href);
        failures.push(context.proxy.failure(url));
      }
      assert.deepEqual(failures, [
        "the connection closed before the response",
        "its response is not HTTP",
        "its response is not HTTP",
        null,
      ]);
    });

    it("forwards an upgrade without a tunnel", async () => {
      await start(echo);
      site.server.on("upgrade", (request, socket, head) => {
        socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
        socket.write(`${request.headers.upgrade} ${request.url} ${head}`);
        socket.pipe(socket);
      });
      const head =
        "GET ws://shop.example/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n";
      const socket = await sendRaw(context.proxy, `${head}early`);
      let received = "";
      for await (const chunk of socket) {
        received += chunk;
        if (received.endsWith("early")) break;
      }
      assert.match(received, /^HTTP\/1\.1 101 .*echo \/live early$/s);
    });

    it("tries the next checked address when one does not respond", async () => {
      await start(echo, { allow: ["two.corp"], names: { "two.corp": [["127.0.0.2", "127.0.0.1"]] } });
      assert.equal((await getThrough(context.proxy, `http://two.corp:${site.port}/`)).status, 200);
      assert.deepEqual(context.dialed, ["127.0.0.2", "127.0.0.1"]);
    });

    it("distinguishes unresolved names and silent hosts from refused ones", async () => {
      await start(echo, { allow: ["dead.corp"], names: { "dead.corp": [["127.0.0.2"]] } });
      const dead = `dead.corp:${site.port}`;
      for (const host of ["gone.example", dead]) {
        assert.equal((await getThrough(context.proxy, `http://${host}/`)).status, 502);
        assert.equal(await connectThrough(context.proxy, host === dead ? dead : `${host}:443`), 502);
        assert.equal(context.proxy.refusal(new URL(`http://${host}/`)), null);
      }
      assert.equal(
        context.proxy.failure(new URL("https://gone.example/")),
        "gone.example does not resolve to a public address",
      );
      assert.equal(
        context.proxy.failure(new URL(`http://${dead}/`)),
        `${dead} is not responding (the connection was refused)`,
      );
    });
  });
});
