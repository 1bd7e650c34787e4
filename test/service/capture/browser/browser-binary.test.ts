import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBrowser } from "../../../../shared/capture/browser/browser-binary.ts";

describe("browser of the npm package", () => {
  let cacheDir: string;

  beforeEach(async () => {
    cacheDir = await mkdtemp(join(tmpdir(), "vrs-browser-binary-"));
  });
  afterEach(() => rm(cacheDir, { recursive: true }));

  it("is unpacked once for concurrent callers", async function () {
    if (process.platform !== "linux" || process.arch !== "x64") this.skip();
    const found = await Promise.all(
      Array.from({ length: 3 }, () => findBrowser({ chromiumPath: null, cacheDir })),
    );
    const [first] = found;
    assert.deepEqual(found, [first, first, first]);
    assert.ok(first && (await stat(first.executablePath)).mode & 0o100);
    assert.equal((await readdir(cacheDir)).length, first.executablePath.startsWith(cacheDir) ? 1 : 0);
  });

  it("explains what to do when no browser is found", async () => {
    const missing = join(cacheDir, "chrome");
    await assert.rejects(
      findBrowser({ chromiumPath: missing, cacheDir }),
      /CHROMIUM_PATH is .*chrome, which does not start/,
    );
  });
});
