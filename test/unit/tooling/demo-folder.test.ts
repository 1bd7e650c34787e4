import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeDemoFolder } from "../../../cli/demo/demo-folder.ts";

describe("the demo's folder", () => {
  let root: string;
  let parent: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "vrs-demo-"));
    parent = join(root, ".service", "demo");
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it("is its process's own and empty, also where an earlier process of that number left one", async () => {
    const folder = await makeDemoFolder(root);
    assert.equal(folder, join(parent, String(process.pid)));
    await writeFile(join(folder, "service.log"), "old");
    assert.equal(await makeDemoFolder(root), folder);
    assert.deepEqual(await readdir(folder), []);
  });

  it("clears away those of processes that are gone, and no other demo's", async () => {
    const gone = spawn(process.execPath, ["--version"], { stdio: "ignore" });
    await once(gone, "exit");
    const alive = String(process.ppid);
    for (const name of [String(gone.pid), alive])
      await mkdir(join(parent, name, "data"), { recursive: true });
    await makeDemoFolder(root);
    assert.deepEqual((await readdir(parent)).toSorted(), [alive, String(process.pid)].toSorted());
  });

  it("is refused where a file is in its place", async () => {
    await writeFile(join(root, ".service"), "a file");
    await assert.rejects(makeDemoFolder(root), { code: "ENOTDIR" });
  });
});
