import assert from "node:assert/strict";
import { copyFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { build } from "../../../shared/contracts/builds/builds.ts";
import { runList } from "../../../shared/contracts/runs/runs.ts";
import { ScreenshotsTestContext } from "../../support/contexts/screenshots-context.ts";
import { until } from "../../support/drivers/until.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { VrsCommand, vrs } from "../../support/drivers/vrs-command.ts";
import { S3Server } from "../../support/servers/s3-server.ts";
import { requireListed } from "../../support/tools/require-output.ts";

const KNOWN = 1_980;
const NEW = 20;
/** The service takes seconds to decode sixty of these, so that their upload can be killed in between. */
const LARGE_PX = 2_400;
/** Of each shard that sends to S3. */
const S3_IMAGES = 40;
/** Of the known screenshots. */
const IMAGES = 60;

const colorOf = (index: number) => `#${(index * 37).toString(16).padStart(6, "0")}`;

describe("vrs upload of many screenshots", () => {
  let service: Vrs;
  let context: ScreenshotsTestContext;
  before(async () => {
    [service, context] = await Promise.all([
      Vrs.start({ SERVICE_PLAN: "business" }),
      ScreenshotsTestContext.start(),
    ]);
    await context.git("remote", "add", "origin", "git@code.example:acme/shop.git");
  });
  after(async () => {
    await Promise.all([service?.stop(), context?.stop()]);
  });

  const env = () => ({ SERVICE_API_URL: service.baseUrl, SERVICE_API_KEY: service.key });
  const upload = (...args: string[]) => vrs(["upload", ...args], { cwd: context.root, env: env() });
  async function draw(folder: string, from: number, to: number, edge = 16): Promise<void> {
    for (let index = from; index < to; index++)
      await context.draw(`${folder}/${index}.png`, colorOf(index), { width: edge, height: edge });
  }
  /** Copies the images, so that each of them is in many screenshots. */
  async function repeat(folder: string, images: number, screenshots: number): Promise<void> {
    for (let index = images; index < screenshots; index++)
      await copyFile(
        join(context.root, folder, `${index % images}.png`),
        join(context.root, folder, `${index}.png`),
      );
  }

  /** Whether the service has some of the images of the latest build, which has this name. */
  async function hasPartOfBuild(name: string): Promise<boolean> {
    const { data } = runList.parse(await (await service.request("/v1/runs?limit=1")).json());
    const answer = await service.request(`/v1/builds/${data[0]?.id}`);
    if (!answer.ok) return false;
    const { uploads, screenshots, ...of } = build.parse(await answer.json());
    return of.name === name && uploads.length < screenshots;
  }

  it(`sends only the ${NEW} new ones of ${KNOWN + NEW}`, async () => {
    await draw("shots", 0, IMAGES);
    await repeat("shots", IMAGES, KNOWN);
    const first = requireListed("upload", (await upload("shots", "--json")).stdout);
    assert.deepEqual([first.sent.images, first.run.counts.new], [IMAGES, KNOWN]);
    await service.client().approve(first.run.id);
    await draw("shots", KNOWN, KNOWN + NEW);
    const second = requireListed("upload", (await upload("shots", "--json")).stdout);
    assert.deepEqual(
      [second.sent.images, second.run.conclusion, second.run.counts.unchanged, second.run.counts.new],
      [NEW, "new", KNOWN, NEW],
    );
  });

  it("completes after a killed shard was repeated", async () => {
    const parts = [1, 2, 3].map(shard =>
      draw(`parts/${shard}`, 3_000 * shard, 3_000 * shard + 60, shard === 2 ? LARGE_PX : 16),
    );
    await Promise.all(parts);
    const shard = (index: number) => [
      ...["upload", `parts/${index}/*.png`, "--name", "parts"],
      ...["--parallel", `${index}/3`, "--nonce", "ci-1"],
    ];
    const killed = new VrsCommand(shard(2), { cwd: context.root, env: env() });
    await until(async () => killed.hasEnded || (await hasPartOfBuild("parts")));
    assert.equal(killed.hasEnded, false, killed.output);
    killed.signal("SIGKILL");
    await killed.ended();
    for (const index of [1, 3]) {
      const { stdout } = await vrs([...shard(index), "--json"], { cwd: context.root, env: env() });
      assert.equal(JSON.parse(stdout).build.open, true);
    }
    const { stdout } = await vrs([...shard(2), "--json"], { cwd: context.root, env: env() });
    const { run, sent } = requireListed("upload", stdout);
    assert.deepEqual([run.status, run.counts.new], ["completed", 180]);
    assert.ok(sent.images < 60, `${sent.images} images were sent again`);
  });
});

describe("vrs upload to S3, without the service in between", () => {
  let s3: S3Server;
  let service: Vrs;
  let context: ScreenshotsTestContext;
  before(async () => {
    s3 = await S3Server.start();
    const store = { IMAGE_STORE_URL: s3.url, BUILD_DIRECT_UPLOADS: "1", ...s3.credentials };
    [service, context] = await Promise.all([Vrs.start(store), ScreenshotsTestContext.start()]);
    await context.git("remote", "add", "origin", "git@code.example:acme/shop.git");
  });
  after(async () => {
    await Promise.all([service?.stop(), context?.stop()]);
    await s3?.close();
  });

  it("completes after a shard was killed while it sent", async () => {
    const env = { SERVICE_API_URL: service.baseUrl, SERVICE_API_KEY: service.key };
    for (const shard of [1, 2, 3])
      for (let index = 0; index < S3_IMAGES; index++)
        await context.draw(`parts/${shard}/${shard}-${index}.png`, colorOf(1_000 * shard + index), {
          width: 16,
        });
    const shard = (index: number) => [
      ...["upload", `parts/${index}/*.png`, "--json"],
      ...["--parallel", `${index}/3`, "--nonce", "ci-1"],
    ];
    const received = async () =>
      (await readdir(s3.folder, { recursive: true })).filter(path => /uploads\/run_/.test(path)).length;
    const killed = new VrsCommand(shard(2), { cwd: context.root, env });
    await until(async () => killed.hasEnded || (await received()) > 0);
    s3.pause();
    assert.equal(killed.hasEnded, false, killed.output);
    killed.signal("SIGKILL");
    await killed.ended();
    s3.resume();
    for (const index of [1, 3]) {
      const { stdout } = await vrs(shard(index), { cwd: context.root, env });
      assert.equal(JSON.parse(stdout).build.open, true);
    }
    const { run } = requireListed("upload", (await vrs(shard(2), { cwd: context.root, env })).stdout);
    assert.deepEqual([run.status, run.counts.new], ["completed", 3 * S3_IMAGES]);
    assert.equal(await received(), 0, "received files are removed once they are stored");
  });
});
