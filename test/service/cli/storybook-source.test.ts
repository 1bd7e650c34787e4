import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, readlink, realpath, rm, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { runBuild } from "../../../cli/storybook/run-build.ts";
import { serveFolder } from "../../../cli/storybook/static-server.ts";

describe("the source of a Storybook", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "vrs-storybook-source-")));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const build = async (script: string, signal: AbortSignal = AbortSignal.timeout(30_000)) => {
    await writeFile(join(folder, "package.json"), JSON.stringify({ scripts: { build: script } }));
    return await runBuild({ env: process.env, signal }, { folder, script: "build", onLine: () => {} });
  };
  const pidOf = async (file: string) => Number(await readFile(join(folder, file), "utf8"));
  /** Waits until a process has ended. */
  const ended = async (pid: number) => {
    for (const end = performance.now() + 10_000; performance.now() < end; await delay(20)) {
      try {
        process.kill(pid, 0);
      } catch {
        return true;
      }
    }
    return false;
  };

  it("is built when the script ends, although a server that it started goes on, and the server ends then", async () => {
    assert.equal(await build("sleep 300 & echo $! > pid; echo built"), join(folder, "storybook-static"));
    assert.ok(await ended(await pidOf("pid")));
  });

  it("reports the last output of a build that fails", async () => {
    await assert.rejects(build("echo the reason; exit 3"), /3[\s\S]*the reason/);
  });

  it("ends a build that ignores signals when it is interrupted", async () => {
    const interrupt = new AbortController();
    const building = build(`trap "" TERM; echo $$ > pid; sleep 300 & wait; sleep 300`, interrupt.signal);
    building.catch(() => {});
    while (!(await readFile(join(folder, "pid"), "utf8").catch(() => ""))) await delay(20);
    interrupt.abort(new Error("interrupted"));
    await assert.rejects(building, /interrupted/);
    assert.ok(await ended(await pidOf("pid")));
  });

  it("is served without a file that stays open after a canceled response", async () => {
    await writeFile(join(folder, "video.webm"), Buffer.alloc(20_000_000));
    const server = await serveFolder(folder);
    try {
      for (let round = 0; round < 5; round++)
        await new Promise<void>((resolve, reject) => {
          const request = get(`${server.url}/video.webm`, response => {
            response.once("data", () => response.destroy());
            response.once("close", resolve);
          });
          request.once("error", reject);
        });
      await delay(200);
      const open = await Promise.all(
        (await readdir("/proc/self/fd")).map(fd => readlink(`/proc/self/fd/${fd}`).catch(() => "")),
      );
      assert.deepEqual(
        open.filter(path => path.endsWith("video.webm")),
        [],
      );
    } finally {
      await server.close();
    }
  });
});
