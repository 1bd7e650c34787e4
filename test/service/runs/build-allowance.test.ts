import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBuildBody } from "../../../shared/contracts/builds/builds.ts";
import { newId } from "../../../shared/ids.ts";
import { RunsTestContext } from "../../support/contexts/runs-context.ts";
import { putMigratedDatabase } from "../../support/databases/migrated-database.ts";
import { hashOf } from "../../support/drivers/build-client.ts";

describe("The allowance of builds", () => {
  let folder: string;
  let context: RunsTestContext;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-allowance-"));
    await putMigratedDatabase(folder);
    context = await RunsTestContext.start({ SERVICE_DATA_DIR: folder, SERVICE_PLAN: "free" });
  });
  after(async () => {
    await context?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it("counts their screenshots at the end, and fails a build that needs more with the reason", async () => {
    const hash = hashOf(Buffer.from("a"));
    const build = async (count: number) => {
      const shots = Array.from({ length: count }, (_, index) => ({ name: `shot ${index}`, hash }));
      const body = createBuildBody.parse({ project: "p", screenshots: shots.slice(0, 500) });
      const { id } = await context.ask("runs.createBuild", { id: newId("run"), body });
      if (count > 500) await context.ask("runs.addShard", { id, body: { screenshots: shots.slice(500) } });
      const image = { hash, imageHash: hash, width: 10, height: 10 };
      await context.ask("runs.recordUpload", { id, image });
      return id;
    };
    const finalize = (id: string) => context.ask("runs.finalizeBuild", { id, body: {} });
    const large = await build(501);
    await assert.rejects(finalize(large), /500 screenshots/);
    const failed = await context.ended(large);
    assert.equal(failed.status, "failed");
    assert.match(failed.error ?? "", /500 screenshots/);
    const fitting = await build(500);
    await finalize(fitting);
    assert.equal((await context.ended(fitting)).counts.new, 500);
    const last = await build(1);
    await assert.rejects(finalize(last), /500/);
  });
});
