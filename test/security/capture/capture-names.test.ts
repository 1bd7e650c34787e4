import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBrowser } from "../../../shared/capture/browser/browser-binary.ts";
import { BrowserPool } from "../../../shared/capture/browser/browser-pool.ts";
import { capture } from "../../../shared/capture/page/capture.ts";
import { poolOptions } from "../../support/contexts/capture-context.ts";
import { Site } from "../../support/fixtures/site.ts";
import { html } from "../../support/fixtures/sites/flake-pages.ts";
import { DnsSink } from "../../support/servers/dns-sink.ts";

/** Looks up names in all the ways that a page has in addition to requests. */
const page = (port: number) =>
  html(`<link rel="dns-prefetch" href="//leak-prefetch.example"><link rel="preconnect" href="//leak-preconnect.example">
  <p id="out">working</p><script>(async () => {
    const turn = url => ({ urls: url, username: "a", credential: "b" });
    const iceServers = [
      { urls: "stun:leak-stun.example:3478" },
      { urls: "stun:localhost:${port}" },
      turn("turn:leak-turn.example:3478?transport=udp"),
      turn("turn:leak-turn-tcp.example:3478?transport=tcp"),
      turn("turns:leak-turns.example:5349"),
    ];
    const [caller, callee] = [new RTCPeerConnection({ iceServers }), new RTCPeerConnection({ iceServers })];
    caller.createDataChannel("x");
    await caller.setLocalDescription(await caller.createOffer());
    await callee.setRemoteDescription(caller.localDescription);
    await callee.setLocalDescription(await callee.createAnswer());
    await caller.setRemoteDescription(callee.localDescription);
    for (const host of ["leak-candidate.example", "leak-mdns.local"])
      await caller.addIceCandidate({ candidate: "candidate:1 1 udp 2122260223 " + host + " 5000 typ host", sdpMid: "0" });
    while (caller.iceGatheringState !== "complete") await new Promise(done => setTimeout(done, 50));
  })().finally(() => { out.id = "done" })</script>`);

describe("names that a page looks up", () => {
  let site: Site;
  let folder: string;
  let dns: DnsSink | null;

  before(async function () {
    // Another DNS server for one program takes a mount that only that program sees.
    dns = process.platform === "linux" && process.getuid?.() === 0 ? await DnsSink.start() : null;
    if (dns === null) {
      console.log("    skipped: needs Linux, and root for the port of DNS and for a mount");
      this.skip();
    }
    site = await Site.start();
    folder = await mkdtemp(join(tmpdir(), "vrs-names-"));
  });
  after(async () => {
    dns?.close();
    await site?.stop();
    if (folder) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Captures the page. @returns the names that reached the DNS server, and the UDP packets */
  const lookups = async (direct: boolean): Promise<{ names: string[]; packets: number }> => {
    assert.ok(dns);
    dns.names.length = 0;
    const stun = createSocket("udp4");
    let packets = 0;
    stun.on("message", () => void packets++).bind(0, "127.0.0.1");
    await once(stun, "listening");
    site.pages.set("/", page(stun.address().port));
    const pool = new BrowserPool(
      poolOptions({ chromiumPath: await chromiumWithDns(dns.address, folder), direct }),
    );
    try {
      const lease = await pool.lease("names");
      const options = { waitForSelector: "#done" };
      await capture(lease, { url: site.url, viewport: 320, baselineHash: null, options });
      await lease.release();
    } finally {
      await pool.close();
      stun.close();
    }
    return { names: [...new Set(dns.names)].filter(name => name.startsWith("leak-")), packets };
  };

  it("reach only the proxy's resolver, by WebRTC or any other way", async () => {
    assert.deepEqual(await lookups(false), { names: [], packets: 0 });
  });

  it("reach another resolver when the browser looks them up itself", async () => {
    const { names } = await lookups(true);
    assert.ok(names.includes("leak-candidate.example"), names.join());
    assert.ok(names.includes("leak-turn-tcp.example"), names.join());
  });
});

/** Returns a Chromium on a machine with another DNS server. */
async function chromiumWithDns(server: string, folder: string): Promise<string> {
  const { executablePath, env } = await findBrowser(poolOptions());
  const [path, resolver] = [join(folder, "chromium"), join(folder, "resolv.conf")];
  const settings = Object.entries(env).map(([name, value]) => `export ${name}='${value}'`);
  const inside = `mount --bind ${resolver} /etc/resolv.conf && exec ${executablePath} "$@"`;
  const script = ["#!/bin/sh", ...settings, `exec unshare -m sh -c '${inside}' chromium "$@"`, ""];
  await writeFile(resolver, `nameserver ${server}\n`);
  await writeFile(path, script.join("\n"), { mode: 0o755 });
  return path;
}
