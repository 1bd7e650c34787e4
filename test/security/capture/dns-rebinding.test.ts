import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import type { Browser } from "playwright";
import { addressPolicy } from "../../../shared/capture/network/address-guard.ts";
import type { EgressProxy } from "../../../shared/capture/network/egress.ts";
import { startEgressProxy } from "../../../shared/capture/network/egress-proxy.ts";
import {
  connectThrough,
  getThrough,
  PUBLIC_IP,
  type Site,
  startSite,
} from "../../support/contexts/egress-context.ts";
import { launchBrowser } from "../../support/drivers/browser/report-browser.ts";
import { DnsServer } from "../../support/servers/dns-server.ts";

const LOOPBACK = "127.0.0.1";

describe("name whose DNS server changes its response", () => {
  let dns: DnsServer;
  let attacker: Site;
  let secret: Site;
  let secretHits: string[];
  let proxy: EgressProxy;
  let dialed: string[];

  beforeEach(async () => {
    secretHits = [];
    dialed = [];
    attacker = await startSite((_request, response) => {
      // Each request must open a new connection.
      response.writeHead(200, { "Content-Type": "text/html", Connection: "close" });
      response.end("<!doctype html><title>Attack</title>the attacker's page");
    });
    secret = await startSite((request, response) => {
      secretHits.push(request.url ?? "");
      response.setHeader("Access-Control-Allow-Origin", "*").end("the secret");
    });
  });
  afterEach(async () => {
    await proxy.close();
    await Promise.all([attacker.close(), secret.close(), dns.close()]);
  });

  /** Starts a proxy that uses the server. The public address leads to the attacker, every other one to itself. */
  const begin = async (names: Record<string, string[][]>) => {
    dns = await DnsServer.start(names);
    proxy = await startEgressProxy({
      policy: addressPolicy([]),
      maxBytes: 1e9,
      resolve: dns.resolve,
      connect(address, port) {
        dialed.push(address);
        return connect(
          address === PUBLIC_IP ? { host: LOOPBACK, port: attacker.port } : { host: address, port },
        );
      },
    });
  };
  const url = (name: string, path = "/") => `http://${name}:${secret.port}${path}`;

  it("never leads to the address from after the check", async () => {
    await begin({ "rebind.example": [[PUBLIC_IP], [LOOPBACK]] });
    assert.equal((await getThrough(proxy, url("rebind.example"))).status, 200);
    const { status, body } = await getThrough(proxy, url("rebind.example"));
    assert.equal(status, 502);
    assert.doesNotMatch(body, /127\.0\.0\.1|secret/);
    assert.equal(await connectThrough(proxy, `rebind.example:${secret.port}`), 502);
    assert.deepEqual(dns.answered, [[PUBLIC_IP], [LOOPBACK], [LOOPBACK]]);
    assert.deepEqual([dialed, secretHits], [[PUBLIC_IP], []]);
  });

  it("is refused when one of its addresses is private, in any form", async () => {
    const forms = [
      [PUBLIC_IP, LOOPBACK],
      [LOOPBACK, PUBLIC_IP],
      [PUBLIC_IP, "::1"],
      ["::ffff:127.0.0.1"],
      ["64:ff9b::7f00:1"],
      ["fd00::1"],
      ["169.254.169.254"],
      ["0.0.0.0"],
      ["10.0.0.1"],
    ];
    await begin(Object.fromEntries(forms.map((addresses, n) => [`mixed-${n}.example`, [addresses]])));
    for (const [n, addresses] of forms.entries()) {
      assert.equal((await getThrough(proxy, url(`mixed-${n}.example`))).status, 502, addresses.join());
      assert.equal(await connectThrough(proxy, `mixed-${n}.example:${secret.port}`), 502, addresses.join());
    }
    assert.deepEqual([dialed, secretHits], [[], []]);
  });

  it("never leads to this machine, however often its addresses change", async () => {
    const responses = Array.from({ length: 60 }, (_, n) => [n % 2 === 0 ? PUBLIC_IP : LOOPBACK]);
    await begin({ "flip.example": responses });
    const results = await Promise.all(responses.map(() => getThrough(proxy, url("flip.example"))));
    assert.ok(results.every(({ status, body }) => status === 502 || body.includes("attacker")));
    assert.ok(dialed.every(address => address === PUBLIC_IP));
    assert.deepEqual(secretHits, []);
  });

  describe("in a browser", () => {
    let browser: Browser;
    before(async () => {
      browser = await launchBrowser();
    });
    after(() => browser?.close());

    it("shows a page nothing of this machine under the page's own origin", async () => {
      await begin({ "rebind.example": [[PUBLIC_IP], [LOOPBACK]] });
      const context = await browser.newContext({ proxy: { server: proxy.url, bypass: "<-loopback>" } });
      const page = await context.newPage();
      await page.goto(url("rebind.example"));
      const texts = await page.evaluate(async () => {
        const found: string[] = [];
        for (let n = 0; n < 5; n++) {
          const addresses = await fetch(`/secret-${n}`, { cache: "no-store" }).catch(() => null);
          found.push(addresses === null ? "" : await addresses.text());
        }
        return found;
      });
      await context.close();
      assert.ok(texts.every(text => !text.includes("the secret")));
      assert.ok(
        dns.answered.some(addresses => addresses.includes(LOOPBACK)),
        "it did change its answer",
      );
      assert.ok(dialed.every(address => address === PUBLIC_IP));
      assert.deepEqual(secretHits, []);
    });
  });
});
