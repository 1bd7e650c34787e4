import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import { ScreenshotsTestContext } from "../../support/contexts/screenshots-context.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { VrsCommand, vrs } from "../../support/drivers/vrs-command.ts";
import { requireListed } from "../../support/tools/require-output.ts";

describe("vrs upload", () => {
  let service: Vrs;
  let context: ScreenshotsTestContext;

  before(async () => {
    [service, context] = await Promise.all([Vrs.start(), ScreenshotsTestContext.start()]);
    await context.git("remote", "add", "origin", "git@code.example:acme/shop.git");
    await context.draw("shots/Button/primary.png", "#08f");
    await context.draw("shots/Button/hover.jpg", "#f80");
    await context.draw("shots/Card.webp", "#0a5", { width: 300 });
  });
  after(async () => {
    await Promise.all([service?.stop(), context?.stop()]);
  });

  const access = () => ({ SERVICE_API_URL: service.baseUrl, SERVICE_API_KEY: service.key });
  const upload = (...args: string[]) => vrs(["upload", ...args], { cwd: context.root, env: { ...access() } });

  it("uploads new images only, waits, and exits by the conclusion", async () => {
    const first = await upload("shots");
    assert.equal(first.code, 1, first.stderr);
    assert.match(
      first.stderr,
      /Build run_\S+ of acme\/shop: 3 screenshots, 3 new images uploaded \(\d+ kB\)/,
    );
    assert.match(first.stdout, /\+ new: 3 new/);
    const again = await upload("shots", "--json");
    const { run, sent } = requireListed("upload", again.stdout);
    assert.deepEqual([again.code, sent], [1, { images: 0, bytes: 0, attachments: 0 }]);
    await service.client().approve(run.id);
    await context.commit();
    assert.equal((await upload("shots")).code, 0);
    await context.draw("shots/Card.webp", "#a50", { width: 300 });
    const changed = await upload("shots");
    assert.equal(changed.code, 1);
    assert.match(changed.stdout, /Card +300 {2}± changed/);
    await context.remove("shots/Card.webp");
    assert.match((await upload("shots")).stdout, /Card +300 {2}− removed/);
    assert.equal((await upload("shots", "--subset")).code, 0);
  });

  it("joins jobs by their nonce, and only the last one waits", async () => {
    const shard = (index: number) =>
      upload(`shots/Button/*.${index === 1 ? "png" : "jpg"}`, "--parallel", `${index}/2`, "--nonce", "ci-1");
    const one = await shard(1);
    assert.equal(one.code, 0, one.stderr);
    assert.match(one.stderr, /1 of 2 shards are complete/);
    const two = await shard(2);
    assert.equal(two.code, 1, two.stderr);
    assert.match(two.stdout, /2 new/);
  });

  it("completes a build with jobs that have no screenshots", async () => {
    await context.write("empty/.gitkeep", "");
    const shard = (folder: string, index: number) =>
      upload(folder, "--parallel", `${index}/3`, "--nonce", "ci-2");
    const empty = await shard("empty", 1);
    assert.equal(empty.code, 0, empty.stderr);
    assert.match(empty.stderr, /empty has no screenshots/);
    const missing = await shard("missing", 2);
    assert.equal(missing.code, 0, missing.stderr);
    assert.match(missing.stderr, /missing doesn't exist/);
    const last = await shard("shots/Button", 3);
    assert.equal(last.code, 1, last.stderr);
    assert.equal((await upload("empty")).code, 2);
  });

  it("refuses a broken image before it sends anything, and reports errors of the service", async () => {
    await context.write("broken/a.png", "no image");
    const broken = await upload("broken");
    assert.equal(broken.code, 2);
    assert.match(broken.stderr, /broken\/a\.png: the file is not a PNG/);
    const rejected = await vrs(["upload", "shots"], {
      cwd: context.root,
      env: { ...access(), SERVICE_API_KEY: "vrs_wrong" },
    });
    assert.equal(rejected.code, 2);
    assert.match(rejected.stderr, /rejected the API key/);
  });

  it("continues over a restart of the service", async () => {
    for (let index = 0; index < 60; index++)
      await context.draw(`many/${index}.png`, `#${index.toString(16).padStart(2, "0")}0000`);
    const command = new VrsCommand(["upload", "many", "--name", "many", "--json"], {
      cwd: context.root,
      env: access(),
    });
    await service.kill();
    await service.start();
    assert.equal(await command.ended(), 1, command.stderr);
    assert.equal(JSON.parse(command.stdout).run.counts.new, 60);
  });
});
