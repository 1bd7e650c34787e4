import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeAtomically } from "../../../cli/baselines/write-atomically.ts";
import { FileWatch, watchFailure } from "../../../cli/check/watch-files.ts";

describe("the files of a watched project", () => {
  let root: string;
  let files: FileWatch;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "vrs-watch-"));
    await mkdir(join(root, "src/old"), { recursive: true });
    await writeFile(join(root, "src/old/a.css"), "a");
    execFileSync("git", ["init", "-q"], { cwd: root });
    execFileSync("git", ["add", "."], { cwd: root });
    files = new FileWatch(root, []);
  });
  afterEach(async () => {
    files.close();
    await rm(root, { recursive: true, force: true });
  });

  it("may be in folders that git lists and the disk doesn't have", async () => {
    await rm(join(root, "src/old"), { recursive: true });
    await files.start();
    await writeFile(join(root, "src/b.css"), "b");
    assert.deepEqual(await files.next(AbortSignal.timeout(10_000)), [join("src", "b.css")]);
  });

  it("don't count while vrs itself replaces one of them", async () => {
    const output = join(root, "src/result.json");
    const watch = new FileWatch(root, [output]);
    try {
      await watch.start();
      await writeAtomically(output, "{}");
      await writeFile(join(root, "src/b.css"), "b");
      assert.deepEqual(await watch.next(AbortSignal.timeout(10_000)), [join("src", "b.css")]);
    } finally {
      watch.close();
    }
  });

  it("may be too many for the system, whose limit the error names", () => {
    const failureOf = (code: string) => watchFailure(Object.assign(new Error(code), { code }));
    assert.match(String(failureOf("ENOSPC")), /fs\.inotify\.max_user_watches/);
    assert.match(String(failureOf("EMFILE")), /fs\.inotify\.max_user_instances/);
    assert.match(String(failureOf("EACCES")), /EACCES/);
  });

  it("are noticed in a folder that was deleted and created again", async () => {
    await files.start();
    await rm(join(root, "src/old"), { recursive: true });
    assert.ok((await files.next(AbortSignal.timeout(10_000))).includes(join("src", "old", "a.css")));
    await mkdir(join(root, "src/old"));
    await writeFile(join(root, "src/old/a.css"), "a");
    await files.next(AbortSignal.timeout(10_000));
    await writeFile(join(root, "src/old/a.css"), "changed");
    assert.deepEqual(await files.next(AbortSignal.timeout(10_000)), [join("src", "old", "a.css")]);
  });
});
