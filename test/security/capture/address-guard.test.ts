import assert from "node:assert/strict";
import { networkInterfaces } from "node:os";
import fc from "fast-check";
import { plainAddress } from "../../../shared/capture/network/address-class.ts";
import {
  addressPolicy,
  refuseAddress,
  refusePreviewUrl,
  refuseResolved,
  refuseUrl,
} from "../../../shared/capture/network/address-guard.ts";
import { ownAddresses } from "../../../shared/capture/network/own-addresses.ts";

const NOTHING = addressPolicy([]);

function refused(url: string, allow: string[] = []): string | null {
  return refuseUrl(new URL(url), addressPolicy(allow));
}

describe("refuseAddress", () => {
  const refusals: [what: string, ips: string[]][] = [
    ["loopback", ["127.0.0.0", "127.0.0.1", "127.255.255.255", "::1"]],
    [
      "link-local",
      ["169.254.0.0", "169.254.169.254", "169.254.255.255", "fe80::1", "febf::1", "fe80::1%eth0"],
    ],
    [
      "private",
      ["10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0", "192.168.255.255"],
    ],
    ["unique-local", ["fc00::1", "fd00:ec2::254", "fdff:ffff::1"]],
    ["carrier-grade NAT", ["100.64.0.0", "100.127.255.255"]],
    ["multicast", ["224.0.0.0", "239.255.255.255", "ff02::1"]],
    ["reserved", ["240.0.0.0", "255.255.255.254", "192.0.0.8", "2001:db8::1", "3fff::1"]],
    ["broadcast", ["255.255.255.255"]],
    ["unspecified", ["0.0.0.0", "0.255.255.255", "::"]],
    ["site-local", ["fec0::1"]],
    ["reserved", ["198.18.0.1", "198.19.255.255", "192.0.2.1", "198.51.100.1", "203.0.113.1", "192.88.99.1"]],
    [
      "special-purpose",
      [
        "2001::1",
        "2002:808:808::1",
        "64:ff9b::808:808",
        "64:ff9b:1::1",
        "::ffff:8.8.8.8",
        "100::1",
        "5f00::1",
      ],
    ],
    ["special-purpose", ["::8.8.8.8", "4000::1", "1::1", "2001:20::1", "192.52.193.1", "192.31.196.1"]],
  ];
  for (const [what, ips] of refusals) {
    for (const ip of ips) {
      it(`refuses ${ip} as ${what}`, () => {
        assert.match(refuseAddress(ip) ?? "allowed", new RegExp(`^${ip} is an? ${what} address$`));
      });
    }
  }

  const neighbours = [
    ["126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0", "9.255.255.255", "11.0.0.0"],
    ["172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0", "100.63.255.255", "100.128.0.0"],
    ["1.0.0.0", "223.255.255.255", "2606:4700::1111", "2a00:1450:4001::200e", "2003::1"],
  ];
  for (const ip of neighbours.flat()) {
    it(`allows ${ip}`, () => assert.equal(refuseAddress(ip), null));
  }

  const carriers: [form: string, carry: (high: string, low: string) => string][] = [
    ["IPv4-mapped", (high, low) => `::ffff:${high}:${low}`],
    ["IPv4-compatible", (high, low) => `::${high}:${low}`],
    ["translated", (high, low) => `::ffff:0:${high}:${low}`],
    ["NAT64", (high, low) => `64:ff9b::${high}:${low}`],
    ["6to4", (high, low) => `2002:${high}:${low}::1`],
    ["ISATAP", (high, low) => `2606:4700::5efe:${high}:${low}`],
    ["ISATAP, global", (high, low) => `2606:4700::200:5efe:${high}:${low}`],
  ];
  for (const [form, carry] of carriers) {
    it(`treats an IPv4 address in ${form} form like the address`, () => {
      const octet = fc.integer({ min: 0, max: 255 });
      const loopback = fc.tuple(fc.constant(127), octet, octet, fc.integer({ min: 2, max: 255 }));
      fc.assert(
        fc.property(loopback, ([a, b, c, d]) => {
          const ip = carry((a * 256 + b).toString(16), (c * 256 + d).toString(16));
          assert.equal(refuseAddress(ip), `${ip} is a loopback address in IPv6 form`);
        }),
      );
    });
  }

  for (const text of ["", "localhost", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "8.8.8.8 ", "[::1]"]) {
    it(`does not accept "${text}" as an address`, () => {
      assert.equal(refuseAddress(text), `${text} is no IP address`);
    });
  }
});

describe("refuseUrl", () => {
  const refusedHosts = [
    [
      "localhost",
      "LOCALHOST",
      "localhost.",
      "shop.localhost",
      "localhost.localdomain",
      "localhost.localdomain.",
    ],
    ["metadata", "Metadata.", "metadata.google.internal", "METADATA.google.internal.", "169.254.169.254"],
    ["2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "127.0.0.1.", "0", "①②⑦.0.0.1"],
    ["10.1.2.3", "100.64.0.1", "224.0.0.1", "0.0.0.0", "255.255.255.255"],
    [
      "[::1]",
      "[::]",
      "[fd00::1]",
      "[fe80::1]",
      "[::ffff:127.0.0.1]",
      "[::ffff:a9fe:a9fe]",
      "[64:ff9b::a00:1]",
    ],
  ];
  for (const host of refusedHosts.flat()) {
    it(`refuses ${host}`, () => {
      assert.notEqual(refused(`http://${host}/`), null);
      assert.notEqual(refused(`https://${host}:8443/`), null);
    });
  }

  for (const url of [
    "file:///etc/passwd",
    "ftp://example.com/",
    "chrome://version",
    "view-source:https://a.example/",
  ]) {
    it(`refuses ${url} because of its scheme`, () =>
      assert.match(refused(url) ?? "", /^only http: and https: are allowed/));
  }

  for (const url of ["https://user@example.com/", "https://:secret@example.com/"]) {
    it(`refuses ${url} because of its credentials`, () => assert.match(refused(url) ?? "", /credentials/));
  }

  for (const port of [1, 22, 25, 81, 444, 465, 1023]) {
    it(`refuses port ${port}`, () => {
      assert.equal(refused(`http://example.com:${port}/`), `port ${port} can't serve pages`);
    });
  }

  for (const url of [
    "http://example.com/",
    "https://8.8.8.8/",
    "http://a.example:1024/",
    "https://a.example:65535/",
  ]) {
    it(`allows ${url}`, () => assert.equal(refused(url), null));
  }
});

describe("addressPolicy", () => {
  const allowed: [entry: string, urls: string[]][] = [
    ["localhost:3000", ["http://localhost:3000/", "https://LOCALHOST.:3000/"]],
    ["localhost", ["http://localhost/", "https://localhost/", "http://localhost:5432/"]],
    ["127.0.0.1:3000", ["http://127.0.0.1:3000/", "http://2130706433:3000/", "http://127.1:3000/"]],
    ["0x7f.1:3000", ["http://127.0.0.1:3000/"]],
    ["[::1]:3000", ["http://[::1]:3000/", "http://[0:0::1]:3000/"]],
    ["::1", ["http://[::1]:3000/"]],
    ["Staging.Corp.:81", ["http://staging.corp:81/"]],
    ["metadata", ["http://metadata/"]],
    ["bücher.example:90", ["http://xn--bcher-kva.example:90/"]],
  ];
  for (const [entry, urls] of allowed) {
    for (const url of urls) it(`${entry} allows ${url}`, () => assert.equal(refused(url, [entry]), null));
  }

  const stillRefused: [entry: string, urls: string[]][] = [
    ["localhost:3000", ["http://localhost:5432/", "http://localhost/", "http://127.0.0.1:3000/"]],
    ["localhost:3000", ["http://127.0.0.1:5432/", "http://a.localhost:3000/", "http://[::1]:3000/"]],
    ["localhost", ["http://localhost:22/", "http://127.0.0.1/", "http://localhost.localdomain/"]],
    ["127.0.0.1:3000", ["http://localhost:3000/", "http://127.0.0.2:3000/", "http://[::ffff:7f00:1]:3000/"]],
    ["localhost:3000", ["http://user@localhost:3000/", "ftp://localhost:3000/"]],
  ];
  for (const [entry, urls] of stillRefused) {
    for (const url of urls)
      it(`${entry} does not allow ${url}`, () => assert.notEqual(refused(url, [entry]), null));
  }

  const bad = [
    "",
    "http://localhost",
    "localhost/",
    "*.corp",
    "a b",
    "a@b",
    "a:b",
    "a:0",
    "a:65536",
    "[::1",
    "256.1.1.1",
  ];
  for (const entry of bad) {
    it(`throws an error that names "${entry}"`, () => {
      assert.throws(
        () => addressPolicy(["ok.corp", entry]),
        (error: Error) => error.message.startsWith(`"${entry}" is not a valid host`),
      );
    });
  }
});

describe("address policy with this machine's own addresses and denied networks", () => {
  const own = () => new Set(["8.8.4.4"]);
  const refusedBy = (url: string, allow: string[], deny: string[] = []) =>
    refuseUrl(new URL(url), addressPolicy(allow, deny, own));
  const resolvesTo = (address: string, allow: string[], deny: string[] = []) =>
    refuseResolved("me.example", 80, [address], addressPolicy(allow, deny, own));

  it("refuses only these addresses", () => {
    assert.match(refusedBy("http://8.8.4.4/", []) ?? "", /8\.8\.4\.4 is an address of this machine/);
    assert.match(resolvesTo("8.8.4.4", []) ?? "", /an address of this machine/);
    assert.match(
      refusedBy("http://1.1.1.1/", [], ["1.1.0.0/16"]) ?? "",
      /a network that the operator denies/,
    );
    assert.match(resolvesTo("1.1.1.1", [], ["1.1.1.1"]) ?? "", /a network that the operator denies/);
    assert.equal(refusedBy("http://8.8.4.5/", []), null);
    assert.equal(resolvesTo("1.2.0.0", [], ["1.1.0.0/16"]), null);
  });

  it("allows this machine's address by host, and a denied network only by address", () => {
    assert.equal(refusedBy("http://8.8.4.4/", ["8.8.4.4"]), null);
    assert.equal(resolvesTo("8.8.4.4", ["me.example"]), null);
    assert.equal(refusedBy("http://1.1.1.1/", ["1.1.1.1"], ["1.1.0.0/16"]), null);
    assert.match(resolvesTo("1.1.1.1", ["me.example"], ["1.1.0.0/16"]) ?? "", /operator denies/);
  });

  it("throws an error that names an invalid network", () => {
    for (const entry of ["1.1.1.1/33", "1.1.1", "host.example", "1.1.1.1/", "::/129"])
      assert.throws(
        () => addressPolicy([], [entry]),
        new RegExp(`"${entry}" is not an address or a network`),
        entry,
      );
  });

  it("includes every address of this machine's interfaces", () => {
    const addresses = Object.values(networkInterfaces()).flatMap(
      all => all?.map(({ address }) => address) ?? [],
    );
    assert.ok(addresses.includes("127.0.0.1"));
    for (const address of addresses) assert.ok(ownAddresses().has(plainAddress(address)), address);
  });
});

describe("refusePreviewUrl", () => {
  const table = [
    ["http://preview.example/", "ftp://preview.example/", "file:///etc/passwd"],
    [
      "https://127.0.0.1/",
      "https://127.255.0.1/",
      "https://[::1]/",
      "https://localhost/",
      "https://localhost.localdomain/",
    ],
    ["https://169.254.0.1/", "https://169.254.169.254/"],
    ["https://10.0.0.1/", "https://172.16.0.1/", "https://172.31.255.255/", "https://192.168.1.1/"],
    ["https://[fc00::1]/", "https://[fd12::1]/", "https://[fe80::1]/", "https://[febf::1]/"],
    [
      "https://100.64.0.1/",
      "https://224.0.0.1/",
      "https://240.0.0.1/",
      "https://255.255.255.255/",
      "https://0.0.0.1/",
    ],
    ["https://metadata/", "https://metadata.google.internal/"],
  ];
  for (const url of table.flat()) {
    it(`refuses ${url}`, () => assert.notEqual(refusePreviewUrl(new URL(url)), null));
  }

  it("allows a public https: URL and refuses http:, which refuseUrl allows", () => {
    assert.equal(refusePreviewUrl(new URL("https://preview.example/path")), null);
    assert.equal(refuseUrl(new URL("http://preview.example/path"), NOTHING), null);
  });
});
