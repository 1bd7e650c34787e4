import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { S3ImageStore } from "../../../mixins/images/s3-image-store.ts";
import { type Build, createBuildBody } from "../../../shared/contracts/builds/builds.ts";
import { UPLOAD_BOUNDS } from "../../../shared/contracts/builds/uploaded-screenshot.ts";
import { newId } from "../../../shared/ids.ts";
import { RunsTestContext } from "../../support/contexts/runs-context.ts";
import { putMigratedDatabase } from "../../support/databases/migrated-database.ts";
import { hashOf, picture } from "../../support/drivers/build-client.ts";
import { S3Server } from "../../support/servers/s3-server.ts";

/**
 * Returns the signature that S3 computes for a signed PUT. The test's own server doesn't verify it. Source: Amazon's
 * "Authenticating Requests: Using Query Parameters (AWS Signature Version 4)".
 */
function signatureOf(url: URL): string {
  const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  const query = [...url.searchParams]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(pair => pair.map(encodeURIComponent).join("="))
    .sort()
    .join("&");
  const request = ["PUT", url.pathname, query, `host:${url.host}`, "", "host", "UNSIGNED-PAYLOAD"].join("\n");
  const time = url.searchParams.get("X-Amz-Date") ?? "";
  const scope = `${time.slice(0, 8)}/us-east-1/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", time, scope, hashOf(Buffer.from(request))].join("\n");
  const key = scope.split("/").reduce<string | Buffer>(hmac, "AWS4S3RVER");
  return hmac(key, text).toString("hex");
}

describe("Images of builds that clients send to S3 themselves", () => {
  let folder: string;
  let s3: S3Server;
  let context: RunsTestContext;

  before(async () => {
    s3 = await S3Server.start();
    Object.assign(process.env, s3.credentials);
    folder = await mkdtemp(join(tmpdir(), "vrs-direct-"));
    await putMigratedDatabase(folder);
    const IMAGE_STORE_URL = s3.url.replace("?", "/some/prefix?");
    const env = { SERVICE_DATA_DIR: folder, IMAGE_STORE_URL, BUILD_DIRECT_UPLOADS: "1" };
    context = await RunsTestContext.start(env);
  });
  after(async () => {
    await context?.stop();
    await s3?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const create = (project: string, images: Buffer[]): Promise<Build> => {
    const screenshots = images.map((bytes, index) => ({ name: `screenshot ${index}`, hash: hashOf(bytes) }));
    const body = createBuildBody.parse({ project, screenshots });
    return context.ask("runs.createBuild", { id: newId("run"), body });
  };
  const finalize = (id: string) => context.ask("runs.finalizeBuild", { id, body: {} });
  const send = async ({ uploads }: Build, hash: string, bytes: Buffer) => {
    const upload = uploads.find(each => each.hash === hash);
    assert.equal(upload?.sendKey, false);
    const { url = "", method, headers } = upload ?? {};
    const answer = await fetch(url, {
      ...(method && { method }),
      ...(headers && { headers }),
      body: new Uint8Array(bytes),
    });
    assert.equal(answer.status, 200, await answer.text());
  };

  it("are verified and stored when the build is finalized, which can be repeated", async () => {
    const images = [await picture("red"), await picture("blue")];
    const build = await create("direct", images);
    const [first, second] = images;
    assert.ok(first && second);
    const signed = new URL(build.uploads[0]?.url ?? "");
    assert.equal(signed.searchParams.get("X-Amz-Signature"), signatureOf(signed));
    assert.equal(signed.searchParams.get("X-Amz-Expires"), "3600");
    await send(build, hashOf(first), first);
    await assert.rejects(finalize(build.id), /1 image of the build must be uploaded first/);
    assert.equal((await context.ask("runs.build", { id: build.id })).uploads.length, 1);
    await send(build, hashOf(second), second);
    await finalize(build.id);
    assert.equal((await context.ended(build.id)).counts.new, 2);
    assert.deepEqual((await create("direct", images)).uploads, []);
  });

  it("are refused if they aren't what their hash says, or no image", async () => {
    const good = await picture("green");
    const text = Buffer.from("no image");
    const large = Buffer.alloc(UPLOAD_BOUNDS.imageBytes + 1);
    const cases = [
      { hash: hashOf(good), bytes: text, why: /another SHA-256/ },
      { hash: hashOf(text), bytes: text, why: /not a PNG, JPEG or WebP/ },
      { hash: hashOf(large), bytes: large, why: /more than 32 MiB/ },
    ];
    for (const { hash, bytes, why } of cases) {
      const body = createBuildBody.parse({ project: "hostile", screenshots: [{ name: "a", hash }] });
      const build = await context.ask("runs.createBuild", { id: newId("run"), body });
      await send(build, hash, bytes);
      await assert.rejects(finalize(build.id), why);
      assert.equal((await context.ask("runs.build", { id: build.id })).open, true);
    }
  });

  it("end with the attachments that can be used", async () => {
    const bytes = await picture("teal");
    const files = [Buffer.from("PK\x03\x04 trace"), Buffer.from("\0program"), Buffer.from("not sent")];
    const attachments = files.map((file, index) => ({ name: `file ${index}`, hash: hashOf(file) }));
    const screenshots = [{ name: "a", hash: hashOf(bytes), attachments }];
    const body = createBuildBody.parse({ project: "attached", screenshots });
    const build = await context.ask("runs.createBuild", { id: newId("run"), body });
    await send(build, hashOf(bytes), bytes);
    const [trace, program] = files;
    assert.ok(trace && program);
    const uploads = build.attachments;
    await send({ ...build, uploads }, hashOf(trace), trace);
    await send({ ...build, uploads }, hashOf(program), program);
    await finalize(build.id);
    await context.ended(build.id);
    const { data } = await context.ask("runs.screenshots", { runId: build.id, query: { limit: 10 } });
    const [shown, ...others] = data[0]?.upload?.attachments ?? [];
    assert.deepEqual([shown?.name, shown?.kind, shown?.bytes, others], ["file 0", "zip", trace.length, []]);
  });

  it("are deleted a day later if their build never ends", async () => {
    const bytes = await picture("brown");
    const build = await create("forgotten", [bytes]);
    await send(build, hashOf(bytes), bytes);
    const bucket = { kind: "s3", bucket: "images", prefix: "some/prefix", region: "us-east-1" } as const;
    const store = await S3ImageStore.open({ ...bucket, endpoint: s3.endpoint }, () => {});
    const name = `${build.id}/${hashOf(bytes)}`;
    const list = async (before: number) => {
      for await (const _images of store.olderThan(new Date(before)));
      return store.uploads.read(name, 1_000_000);
    };
    assert.notEqual(await list(Date.now() - 3_600_000), "missing");
    assert.equal(await list(Date.now() + 3_600_000), "missing");
    await store.close();
  });
});
