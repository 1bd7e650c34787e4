import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { capture } from "../../../shared/capture/page/capture.ts";
import { CaptureTestContext } from "../../support/contexts/capture-context.ts";
import { html } from "../../support/fixtures/sites/flake-pages.ts";

describe("capture of a hostile page", () => {
  let context: CaptureTestContext;

  before(async () => {
    context = await CaptureTestContext.start({});
  });
  after(() => context.stop());

  it("sends no UDP, by WebRTC or by WebTransport", async () => {
    const sink = createSocket("udp4");
    const packets: Buffer[] = [];
    sink.on("message", packet => packets.push(packet));
    sink.bind(0, "127.0.0.1");
    await once(sink, "listening");
    const { port } = sink.address();
    context.site.pages.set(
      "/udp",
      html(`<p id="out">working</p><script>
        const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${port}" }] });
        peer.createDataChannel("x");
        const gathered = new Promise(done => peer.onicegatheringstatechange = () => peer.iceGatheringState === "complete" && done());
        const transport = new WebTransport("https://127.0.0.1:${port}/");
        peer.createOffer().then(offer => peer.setLocalDescription(offer));
        Promise.all([gathered, transport.ready.catch(() => {})]).then(() => { out.id = "done" });
      </script>`),
    );
    try {
      await context.capture("/udp", { options: { waitForSelector: "#done" } });
      assert.deepEqual(packets, []);
    } finally {
      sink.close();
    }
  });

  it("shows no file of this machine, and closes pop-ups", async () => {
    context.site.pages.set("/empty", html(""));
    context.site.pages.set(
      "/opens",
      html(`<script>open("/empty"); open("/empty", "_blank", "noopener")</script>`),
    );
    context.site.pages.set(
      "/file",
      html(`<iframe src="file:///etc/passwd"></iframe><script>location.href = "file:///etc/passwd"</script>`),
    );
    const lease = await context.pool.lease("files");
    const capturePage = (path: string) =>
      capture(lease, { url: context.site.url + path, viewport: 320, baselineHash: null, options: {} });
    await capturePage("/file");
    assert.equal(lease.page.url(), `${context.site.url}/file`);
    for (const frame of lease.page.frames()) assert.doesNotMatch(frame.url(), /^file:/);
    await capturePage("/opens");
    await capturePage("/empty");
    // On a busy machine, the browser reports a pop-up late.
    const late = AbortSignal.timeout(10_000);
    while (lease.page.context().pages().length > 1 && !late.aborted) await delay(20);
    assert.equal(lease.page.context().pages().length, 1);
    await lease.release();
  });

  it("renders a public page without its private resources", async () => {
    const port = new URL(context.site.url).port;
    context.site.pages.set("/secret", html("secret"));
    context.site.pages.set(
      "/page",
      html(
        `<iframe src="http://127.0.0.1:${port}/secret"></iframe><img src="http://169.254.169.254/latest/">`,
      ),
    );
    assert.ok((await context.capture("/page")).stable);
    assert.ok(!context.site.requested.includes("/secret"));
  });

  it("starts no service worker, no download and no dialog", async () => {
    context.site.pages.set("/worker.js", (_request, response) =>
      response.writeHead(200, { "Content-Type": "text/javascript" }).end(""),
    );
    context.site.pages.set(
      "/active",
      html(`<a id="a" download="x" href="/empty">x</a><script>
        navigator.serviceWorker.register("/worker.js").catch(() => {});
        a.click(); alert(1); confirm(2); prompt(3); print(); onbeforeunload = () => "stay";</script>`),
    );
    const lease = await context.pool.lease("active");
    const capturePage = () =>
      capture(lease, { url: `${context.site.url}/active`, viewport: 320, baselineHash: null, options: {} });
    const first = await capturePage();
    assert.equal((await capturePage()).hash, first.hash);
    assert.ok(!context.site.requested.includes("/worker.js"));
    await lease.release();
  });
});
