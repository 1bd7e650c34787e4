import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { after, before, describe, it } from "mocha";
import { ServiceBroker } from "moleculer";
import sharp from "sharp";
import { S3ImageStore } from "../../../mixins/images/s3-image-store.ts";
import { brokerOptions } from "../../../moleculer.config.ts";
import gateway from "../../../services/gateway/gateway.service.ts";
import { loadConfig } from "../../../shared/config.ts";
import { action, service } from "../../../shared/contracts/bus.ts";
import type { ReportPage } from "../../../shared/contracts/runs/run-outcomes.ts";
import { DEFAULT_LINK_SETTINGS, type LinkRules } from "../../../shared/links/link-rules.ts";
import { Links } from "../../../shared/links/links.ts";
import { freePort } from "../../support/drivers/free-port.ts";
import { until } from "../../support/drivers/until.ts";
import { report, screenshot } from "../../support/fixtures/report-sample.ts";
import { S3Server } from "../../support/servers/s3-server.ts";

const KEY = "a key of the tests";

describe("Images through the gateway from a bucket", () => {
  let s3: S3Server;
  let broker: ServiceBroker;
  let links: Links;
  let small: string;
  let picture: string;
  let large: string;
  /** The report that the runs service returns. */
  let page: ReportPage;
  /** The link rules that the runs service returns. */
  let rules: LinkRules | null = { ...DEFAULT_LINK_SETTINGS, generation: 0 };

  before(async () => {
    s3 = await S3Server.start();
    Object.assign(process.env, s3.credentials);
    const env = { PORT: String(await freePort()), IMAGE_STORE_URL: s3.url, LOG_LEVEL: "fatal" };
    const config = loadConfig(env);
    links = new Links(config.baseUrl, KEY);
    broker = new ServiceBroker(brokerOptions(config));
    broker.createService(gateway);
    broker.createService(
      service({
        name: "runs",
        actions: {
          linkKey: action("runs.linkKey", async () => KEY),
          linkRules: action("runs.linkRules", async () => rules),
          report: action("runs.report", async () => page),
        },
      }),
    );
    await broker.start();
    assert.equal(config.imageStore.kind, "s3");
    const store = config.imageStore.kind === "s3" && (await S3ImageStore.open(config.imageStore, () => {}));
    assert.ok(store);
    small = await store.put(randomBytes(1_000));
    const create = { width: 800, height: 2_000, channels: 3, background: "#2f6feb" } as const;
    picture = await store.put(await sharp({ create }).png().toBuffer());
    large = await store.put(randomBytes(20_000_000));
    await store.close();
  });

  after(async () => {
    await broker?.stop();
    await s3?.close();
  });

  const ask = (hash: string, init?: RequestInit) => fetch(links.image("team", hash), init);
  /** Reads only the beginning of a response, by default of the large image. */
  const begin = async (address = links.image("team", large)): Promise<IncomingMessage> => {
    const [answer] = await once(get(address, { agent: false }), "response");
    await once(answer, "readable");
    return answer;
  };
  const missing = "0".repeat(64);

  it("answer 404 for a missing image", async () => {
    const answer = await ask(missing);
    assert.equal(answer.status, 404);
    assert.equal(answer.headers.get("etag"), null);
    assert.equal(answer.headers.get("cache-control"), "no-store");
  });

  it("are refused after their link expired or was revoked, or their team was deleted", async () => {
    const statusOf = async (daysAgo: number, linkGeneration = 0) => {
      // Each run is new, so that nothing is cached.
      const run = { id: `run_${randomBytes(8).toString("hex")}`, linkGeneration };
      const answer = await fetch(links.image("team", small, run, Date.now() - daysAgo * 86_400_000));
      await answer.body?.cancel();
      return answer.status;
    };
    assert.deepEqual([await statusOf(0), await statusOf(90), await statusOf(91)], [200, 200, 401]);
    rules = { ...DEFAULT_LINK_SETTINGS, generation: 3 };
    assert.deepEqual([await statusOf(0, 2), await statusOf(0, 3), await statusOf(0, 4)], [401, 200, 401]);
    rules = null;
    assert.equal(await statusOf(0), 401);
    rules = { ...DEFAULT_LINK_SETTINGS, generation: 0 };
  });

  it("are sent whole, or only their headers for HEAD", async () => {
    const answer = await ask(small);
    assert.equal(answer.headers.get("content-length"), "1000");
    assert.match(answer.headers.get("cache-control") ?? "", /immutable/);
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.equal(createHash("sha256").update(bytes).digest("hex"), small);
    const head = await ask(large, { method: "HEAD" });
    assert.equal(head.headers.get("content-length"), "20000000");
    const again = await ask(small, { headers: { "If-None-Match": answer.headers.get("etag") ?? "" } });
    assert.equal(again.status, 304);
  });

  it("have thumbnails of a few widths, or are sent whole if none can be created", async () => {
    const thumbnail = (hash: string, width: number, init?: RequestInit) =>
      fetch(`${links.image("team", hash)}?w=${width}`, init);
    const answer = await thumbnail(picture, 160);
    assert.equal(answer.headers.get("content-type"), "image/webp");
    assert.match(answer.headers.get("cache-control") ?? "", /immutable/);
    const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    assert.deepEqual([width, height], [160, 400]);
    const etag = answer.headers.get("etag") ?? "";
    assert.equal((await thumbnail(picture, 160, { headers: { "If-None-Match": etag } })).status, 304);
    assert.equal((await thumbnail(picture, 320, { headers: { "If-None-Match": etag } })).status, 200);
    const head = await thumbnail(picture, 160, { method: "HEAD" });
    assert.equal(head.headers.get("content-length"), answer.headers.get("content-length"));

    assert.equal((await thumbnail(picture, 161)).status, 422);
    assert.equal((await thumbnail(missing, 160)).status, 404);
    const forged = links.image("team", picture).replace("/team/", "/other/");
    assert.equal((await fetch(`${forged}?w=160`)).status, 401);
    const whole = await thumbnail(small, 160);
    assert.equal(whole.headers.get("content-type"), "image/png");
    assert.equal(whole.headers.get("cache-control"), "no-store");
    assert.equal(whole.headers.get("content-length"), "1000");
    await whole.body?.cancel();
  });

  it("include the image of a change, only for the region and images of its link", async () => {
    const crop = { x: 0, y: 0, width: 240, height: 150 };
    const run = { id: "run_1", linkGeneration: 0 };
    const change = links.change("team", { baseline: picture, current: picture, diff: picture, crop }, run);
    const answer = await fetch(change);
    assert.equal(answer.headers.get("content-type"), "image/png");
    assert.match(answer.headers.get("cache-control") ?? "", /immutable/);
    const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    assert.deepEqual([width, height], [720, 150]);
    for (const forged of [
      change.replace("-240-150", "-800-500"),
      change.replace(`-${picture}-`, `-${small}-`),
      change.replace("/team/", "/other/"),
    ])
      assert.equal((await fetch(forged)).status, 401, forged);
    const gone = { baseline: missing, current: picture, diff: picture, crop };
    assert.equal((await fetch(links.change("team", gone, run))).status, 404);
    const unreadable = { baseline: picture, current: small, diff: picture, crop };
    assert.equal((await fetch(links.change("team", unreadable, run))).status, 404);
  });

  it("are still served after more readers disconnected than the store has connections", async () => {
    for (let batch = 0; batch < 4; batch++) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => begin()));
      for (const answer of answers) answer.destroy();
    }
    const heads = Array.from({ length: 80 }, () => ask(large, { method: "HEAD" }));
    for (const head of await Promise.all(heads)) assert.equal(head.status, 200);
    assert.equal((await ask(small)).status, 200);
  });

  it("are cut off with the store, and served again when it is back", async () => {
    const answer = await begin();
    await s3.refuse();
    const reading = (async () => {
      for await (const _ of answer);
    })();
    await assert.rejects(reading, /aborted/);

    const refused = await ask(small);
    assert.equal(refused.status, 503);
    assert.equal((await refused.json()).code, "unavailable");
    await s3.accept();
    assert.equal((await ask(small)).status, 200);
    assert.equal((await ask(missing)).status, 404);
  });

  it("prevent an export while the store is unavailable, but not if an image was deleted", async () => {
    const images = {
      current: links.image("team", missing),
      baseline: links.image("team", small),
      diff: null,
    };
    page = { ...report([screenshot({ id: "scr_1", images })]), nextCursor: null };
    const save = () => fetch(`${links.report("run_1")}&download=1`);
    await s3.refuse();
    const refused = await save();
    assert.equal(refused.status, 503);
    await s3.accept();
    const html = await (await save()).text();
    assert.match(html, /doesn&#39;t include the current image/);
    assert.doesNotMatch(html, /doesn&#39;t include the baseline image/);
    assert.match(html, /data:image\/png;base64,/);
  });

  describe("Exported reports", () => {
    const addressOf = (runId: string) => `${links.report(runId)}&download=1`;
    before(() => {
      const images = { current: links.image("team", large), baseline: null, diff: null };
      page = { ...report([screenshot({ id: "scr_1", images })]), nextCursor: null };
    });

    it("are created for two runs at a time, and then for the next", async () => {
      const [first, second] = await Promise.all([begin(addressOf("run_1")), begin(addressOf("run_2"))]);
      const third = begin(addressOf("run_3"));
      const isWaiting = await Promise.race([third.then(() => false), delay(1_000, true)]);
      assert.deepEqual([first.statusCode, second.statusCode, isWaiting], [200, 200, true]);
      first.destroy();
      const answer = await third;
      assert.equal(answer.statusCode, 200);
      for (const each of [second, answer]) each.destroy();
    });

    it("reach their readers while another reader requests one repeatedly and reads none", async () => {
      const held: IncomingMessage[] = [];
      let isOver = false;
      const refusals = new Set<number | undefined>();
      const ask = async () => {
        while (!isOver) {
          const answer = await begin(addressOf("run_1"));
          if (answer.statusCode === 200) held.push(answer);
          else refusals.add(answer.statusCode);
          if (answer.statusCode !== 200) answer.destroy();
          await delay(20);
        }
      };
      const asking = Array.from({ length: 10 }, ask);
      await until(() => held.length === 1 && refusals.size > 0);
      for (const runId of ["run_2", "run_3", "run_4"]) {
        const answer = await fetch(addressOf(runId));
        assert.equal(answer.status, 200);
        assert.ok((await answer.arrayBuffer()).byteLength > 20_000_000);
      }
      assert.deepEqual([...refusals], [429]);
      assert.equal(held.length, 1);
      isOver = true;
      await endAll(held, asking);
    });
  });
});

/** Closes responses that still arrive while the last requests finish. */
async function endAll(held: IncomingMessage[], asking: Promise<void>[]): Promise<void> {
  let isDone = false;
  void Promise.allSettled(asking).then(() => {
    isDone = true;
  });
  while (!isDone) {
    for (const answer of held.splice(0)) answer.destroy();
    await delay(50);
  }
}
