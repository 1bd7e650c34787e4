import assert from "node:assert/strict";
import sharp from "sharp";
import { z } from "zod";
import type { ScreenshotView } from "../../../shared/contracts/runs/screenshots.ts";
import { BuildClient, hashOf, picture } from "../../support/drivers/build-client.ts";
import { Vrs } from "../../support/drivers/vrs.ts";

describe("Builds of uploaded screenshots", () => {
  let vrs: Vrs;
  let client: BuildClient;
  const scm = (sha: string) => ({ owner: "acme", repo: "shop", sha: sha.repeat(40), branch: "main" });
  const statuses = (rows: ScreenshotView[]) =>
    Object.fromEntries(rows.map(({ route, status }) => [route, status]));

  before(async () => {
    vrs = await Vrs.start({ SERVICE_PLAN: "business" });
    client = new BuildClient(vrs);
  });
  after(() => vrs?.stop());

  it("compares uploads with approved ones, and sends known images only once", async () => {
    const [red, blue] = [await picture("red"), await picture("blue")];
    const shots = [
      { name: "Button/primary", bytes: red },
      { name: "Card", bytes: blue },
    ];
    const first = await client.upload({ scm: scm("a") }, shots);
    assert.deepEqual([first.open, first.screenshots, first.project], [false, 2, "acme/shop"]);
    const run = await client.ended(first.id);
    assert.deepEqual([run.status, run.conclusion, run.source, run.url], ["completed", "new", "upload", ""]);
    await client.approve(first.id);

    const sent = client.uploads;
    const second = await client.create({ scm: scm("b") }, shots);
    assert.deepEqual(second.uploads, []);
    await client.finalize(second.id);
    assert.equal((await client.ended(second.id)).conclusion, "passed");
    assert.equal(client.uploads, sent);

    const changed = [{ name: "Button/primary", bytes: await picture("red", { block: "white" }) }];
    const third = await client.upload({ scm: scm("c"), threshold: 0 }, changed);
    const ended = await client.ended(third.id);
    assert.equal(ended.conclusion, "changed");
    const rows = await client.screenshots(third.id);
    assert.deepEqual(statuses(rows), { "Button/primary": "changed", Card: "removed" });
    assert.equal(rows.find(({ route }) => route === "Button/primary")?.diffPixels, 400);
  });

  it("finds equal pixels in other bytes and other types", async () => {
    const project = "formats";
    const png = await picture("green");
    const first = await client.upload({ project }, [
      { name: "a", bytes: png },
      { name: "b", bytes: png },
    ]);
    await client.ended(first.id);
    await client.approve(first.id);
    const other = await sharp(png).png({ compressionLevel: 0 }).toBuffer();
    const webp = await sharp(png).webp({ lossless: true }).toBuffer();
    assert.notEqual(hashOf(other), hashOf(png));
    const second = await client.upload({ project }, [
      { name: "a", bytes: other },
      { name: "b", bytes: webp },
    ]);
    assert.equal((await client.ended(second.id)).conclusion, "passed");
    assert.deepEqual(statuses(await client.screenshots(second.id)), { a: "unchanged", b: "unchanged" });
  });

  it("keeps attachments of screenshots that need review, and serves them as hostile files", async () => {
    const project = "attached";
    const bytes = await picture("purple");
    const files = [Buffer.from("PK\x03\x04 trace"), Buffer.from("<script>alert(1)</script>")];
    const names = ["trace", "page.html"];
    const attachments = files.map((file, index) => ({ name: names[index] ?? "", hash: hashOf(file) }));
    const shots = [{ name: "a", bytes, attachments }];
    const first = await client.create({ project }, shots);
    assert.equal(first.attachments.length, 2);
    const put = async (hash: string, sent: Buffer) =>
      (await client.put(`/v1/builds/${first.id}/attachments/${hash}`, sent)).status;
    const [trace, page] = files;
    assert.ok(trace && page);
    const binary = Buffer.from("\0program");
    assert.equal(await put(hashOf(binary), binary), 404, "only what the build wants");
    assert.equal(await put(hashOf(trace), page), 422, "only the listed bytes");
    await client.send(first, shots);
    await client.sendAttachments(first, files);
    assert.deepEqual((await client.get(first.id)).attachments, []);
    await client.finalize(first.id);
    await client.ended(first.id);
    assert.equal(await put(hashOf(trace), trace), 409, "the build has ended");

    const shown = (await client.screenshots(first.id))[0]?.upload?.attachments ?? [];
    assert.deepEqual(
      shown.map(({ name, kind, bytes: size }) => [name, kind, size]),
      [
        ["trace", "zip", trace.length],
        ["page.html", "text", page.length],
      ],
    );
    const [zip, text] = await Promise.all(shown.map(({ url }) => fetch(url)));
    assert.deepEqual(Buffer.from((await zip?.arrayBuffer()) ?? new ArrayBuffer(0)), trace);
    assert.equal(zip?.headers.get("content-disposition"), 'attachment; filename="trace.zip"');
    assert.equal(text?.headers.get("content-type"), "text/plain; charset=utf-8");
    for (const answer of [zip, text]) {
      assert.equal(answer?.headers.get("x-content-type-options"), "nosniff");
      assert.match(answer?.headers.get("content-security-policy") ?? "", /^sandbox; default-src 'none'/);
    }
    const forged = (shown[0]?.url ?? "").replace("trace.zip", "trace.html");
    assert.equal((await fetch(forged)).status, 401);

    await client.approve(first.id);
    const again = await client.create({ project }, shots);
    assert.deepEqual(again.attachments, [], "an approved screenshot needs no trace");
    const other = [{ ...attachments[0], name: "trace", hash: hashOf(Buffer.from("other")) }];
    const flaky = await client.create({ project }, [{ name: "a", bytes, retry: 1, attachments: other }]);
    assert.equal(flaky.attachments.length, 1, "a retried one does");
  });

  it("applies thresholds, ignore regions, previous names and subsets", async () => {
    const project = "metadata";
    const [plain, marked] = [await picture("red"), await picture("red", { block: "white" })];
    const first = await client.upload({ project }, [
      { name: "old name", bytes: plain },
      { name: "ignored", bytes: plain },
      { name: "tolerant", bytes: plain },
      { name: "elsewhere", bytes: plain },
    ]);
    await client.ended(first.id);
    await client.approve(first.id);
    const second = await client.upload({ project, subset: true }, [
      { name: "new name", bytes: plain, previousNames: ["older name", "old name"] },
      { name: "ignored", bytes: marked, ignoreRegions: [{ x: 0, y: 0, width: 50, height: 50 }] },
      { name: "tolerant", bytes: marked, threshold: 0.5, retry: 1, testFile: "a.spec.ts", line: 3 },
    ]);
    assert.equal((await client.ended(second.id)).conclusion, "passed");
    const rows = await client.screenshots(second.id);
    assert.deepEqual(statuses(rows), {
      "new name": "unchanged",
      ignored: "unchanged",
      tolerant: "unchanged",
    });
    const tolerant = rows.find(({ route }) => route === "tolerant");
    assert.deepEqual(tolerant?.upload, { retry: 1, testFile: "a.spec.ts", line: 3 });
    assert.deepEqual(tolerant?.notes, [
      "Test: a.spec.ts:3",
      "The test was retried 1 time. This is the screenshot of its last attempt.",
    ]);
    const whole = await client.upload({ project }, [
      { name: "new name", bytes: plain, previousNames: ["old name"] },
    ]);
    await client.ended(whole.id);
    assert.deepEqual(statuses(await client.screenshots(whole.id)), {
      "new name": "unchanged",
      ...{ ignored: "removed", tolerant: "removed", elsewhere: "removed" },
    });
  });

  it("has history, baselines and ignore regions like captured pages", async () => {
    const project = "history";
    const bytes = await picture("red", { width: 90 });
    const first = await client.upload({ project }, [{ name: "Tooltip/small", bytes }]);
    await client.ended(first.id);
    await client.approve(first.id);
    const page = { project, route: "Tooltip/small", viewport: 90 };
    const query = new URLSearchParams({ ...page, viewport: "90" });
    for (const path of ["/v1/baselines/history", "/v1/screenshots", "/v1/baselines"]) {
      const answer = await vrs.request(`${path}?${query}`);
      assert.equal(answer.status, 200, path);
      const { data } = z
        .object({ data: z.array(z.object({ runId: z.string() })) })
        .parse(await answer.json());
      assert.deepEqual(
        data.map(({ runId }) => runId),
        [first.id],
        path,
      );
    }
    const region = { ...page, x: 10, y: 10, width: 20, height: 20 };
    await client.post("/v1/ignore-regions", region, 201);
    const marked = await picture("red", { width: 90, block: "white" });
    const second = await client.upload({ project, threshold: 0 }, [{ name: "Tooltip/small", bytes: marked }]);
    assert.equal((await client.ended(second.id)).conclusion, "passed");
  });

  it("keeps builds of other names and captured pages of the project apart", async () => {
    const shots = [{ name: "Card", bytes: await picture("orange") }];
    const named = await client.upload({ scm: scm("d"), name: "storybook" }, shots);
    assert.deepEqual([named.project, named.name], ["acme/shop#storybook", "storybook"]);
    assert.equal((await client.ended(named.id)).conclusion, "new");
    assert.deepEqual(statuses(await client.screenshots(named.id)), { Card: "new" });
  });

  it("refuses images that aren't what they claim", async () => {
    const good = await picture("gray");
    const bomb = Buffer.concat([good.subarray(0, 16), Buffer.alloc(8, 0x7f), good.subarray(24)]);
    const cases = [
      { bytes: Buffer.from("<svg/>"), why: /not a PNG, JPEG or WebP/ },
      { bytes: good.subarray(0, 120), why: /damaged or incomplete/ },
      { bytes: bomb, why: /pixels\. At most/ },
      { bytes: Buffer.from("RIFF    WEBPVP8 broken"), why: /damaged or incomplete/ },
    ];
    const shots = cases.map(({ bytes }, index) => ({ name: `bad ${index}`, bytes }));
    const { id, uploads } = await client.create({ project: "hostile" }, [
      ...shots,
      { name: "good", bytes: good },
    ]);
    assert.equal(uploads.length, 5);
    for (const { bytes, why } of cases) {
      const answer = await client.put(`/v1/builds/${id}/images/${hashOf(bytes)}`, bytes, {
        "content-type": "image/png",
      });
      assert.equal(answer.status, 422);
      assert.match(await answer.text(), why);
    }
    const forged = await client.put(`/v1/builds/${id}/images/${hashOf(good)}`, await picture("pink"));
    assert.equal(forged.status, 422);
    const foreign = await client.put(`/v1/builds/${id}/images/${"0".repeat(64)}`, good);
    assert.equal(foreign.status, 404);
    const huge = await client.put(`/v1/builds/${id}/images/${hashOf(good)}`, Buffer.alloc(33 * 1024 * 1024));
    assert.equal(huge.status, 413);
    const early = await vrs.post(`/v1/builds/${id}/finalize`, {});
    assert.equal(early.status, 409);
    assert.match(await early.text(), /5 images of the build must be uploaded first/);
  });

  it("survives a crash in the middle, and resumes", async () => {
    const shots = [
      { name: "one", bytes: await picture("brown") },
      { name: "two", bytes: await picture("cyan") },
    ];
    const created = await client.create({ project: "crash" }, shots);
    await client.send({ ...created, uploads: created.uploads.slice(0, 1) }, shots);
    await vrs.kill();
    await vrs.start();
    const resumed = await client.get(created.id);
    assert.equal(resumed.uploads.length, 1);
    await client.send(resumed, shots);
    await client.finalize(created.id);
    await vrs.kill();
    await vrs.start();
    assert.equal((await client.ended(created.id)).conclusion, "new");
    const late = await client.put(
      `/v1/builds/${created.id}/images/${hashOf(shots[0]?.bytes ?? Buffer.alloc(0))}`,
      shots[0]?.bytes ?? Buffer.alloc(0),
    );
    assert.equal(late.status, 409);
  });
});
