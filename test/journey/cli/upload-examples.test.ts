import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ScreenshotsTestContext } from "../../support/contexts/screenshots-context.ts";
import { Vrs } from "../../support/drivers/vrs.ts";

const GUIDE = join(import.meta.dirname, "../../../docs/guides/upload-screenshots-over-http.md");

const EXAMPLES = [
  { language: "python", program: "python3", versionArgs: ["--version"], file: "upload.py" },
  { language: "java", program: "java", versionArgs: ["-version"], file: "Upload.java" },
];

describe("the examples of the guide to upload over HTTP", function () {
  this.timeout(120_000);
  let service: Vrs;
  let context: ScreenshotsTestContext;
  before(async () => {
    [service, context] = await Promise.all([Vrs.start(), ScreenshotsTestContext.start()]);
    await context.draw("screenshots/Cart.png", "#08f");
    await context.draw("screenshots/Menu.png", "#f80");
  });
  after(async () => {
    await Promise.all([service?.stop(), context?.stop()]);
  });

  for (const { language, program, versionArgs, file } of EXAMPLES) {
    it(`upload with ${language}`, async function () {
      if (spawnSync(program, versionArgs).status !== 0) this.skip();
      const guide = await readFile(GUIDE, "utf8");
      const [, code] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(guide) ?? [];
      assert.ok(code !== undefined);
      await context.write(file, code);
      const env = { ...process.env, SERVICE_API_URL: service.baseUrl, SERVICE_API_KEY: service.key };
      const out = await new Promise<string>((resolve, reject) => {
        execFile(program, [file], { cwd: context.root, env }, (error, stdout, stderr) =>
          error ? reject(new Error(stdout + stderr)) : resolve(stdout),
        );
      });
      const run = /\brun_\w+/.exec(out)?.[0] ?? assert.fail(out);
      const end = performance.now() + 30_000;
      while ((await service.client().getRun(run)).status !== "completed") {
        assert.ok(performance.now() < end, out);
        await new Promise(resolve => setTimeout(resolve, 100));
      }
      const shots = await service.client().listScreenshots(run);
      assert.deepEqual(shots.map(({ route, width }) => [route, width]).sort(), [
        ["Cart", 120],
        ["Menu", 120],
      ]);
    });
  }
});
