import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { checkResultSchema } from "../../../cli/check/check-result.ts";
import { CheckTestContext, page, reported, toolEnv } from "../../support/contexts/check-context.ts";
import { Child } from "../../support/drivers/child.ts";
import { freePort } from "../../support/drivers/free-port.ts";
import { until } from "../../support/drivers/until.ts";

const TOOL = fileURLToPath(new URL("../../../cli/main.ts", import.meta.url));
const ROUTES = ["/", "/a", "/b", "/c"];
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

describe("vrs check and vrs approve", () => {
  let context: CheckTestContext;
  let env: Record<string, string>;
  before(async () => {
    env = toolEnv();
    context = await CheckTestContext.start(Object.fromEntries(ROUTES.map(route => [route, page(route)])));
    await context.write("service.config.ts", config(context.site.url, ROUTES));
    await context.commit();
  });
  after(() => context.stop());

  const config = (baseUrl: string, routes: string[]) =>
    `import { defineConfig } from "vrs";\nexport default defineConfig(${JSON.stringify({ baseUrl, routes, viewports: [400, 900], threshold: 0 })});\n`;
  const start = (args: string[], cwd = context.root) =>
    new Child(process.execPath, [TOOL, ...args], { cwd, env });

  /** Runs the tool to its end. */
  async function vrs(args: string[], cwd = context.root) {
    const child = start(args, cwd);
    while (!child.ended) await new Promise(resolve => setTimeout(resolve, 10));
    return { code: child.exitCode, output: child.output };
  }

  /** The only document on standard output. */
  const json = (output: string) => checkResultSchema.parse(JSON.parse(output));

  it("take a project from its first check to an approved change", async () => {
    const first = await vrs(["check", "--json", "--quiet"]);
    assert.equal(first.code, 1, first.output);
    assert.deepEqual(json(first.output).counts, {
      unchanged: 0,
      minor: 0,
      changed: 0,
      new: 8,
      removed: 0,
      failed: 0,
    });
    assert.equal((await vrs(["approve"])).code, 0);
    assert.match(
      await context.git("status", "--short", "-uall"),
      /^(\?\? \.service\/baselines\/\S+\s*){10}$/,
    );
    await context.commit();

    context.site.pages.set("/b", page("/b", "#fed"));
    const changed = await vrs(["check", "--width", "400"]);
    assert.equal(changed.code, 1);
    assert.match(changed.output, /\/b\s+400\s+.*changed/);
    assert.match(changed.output, /1 changed, 3 unchanged/);
    const approved = await vrs(["approve", "/b"]);
    assert.match(
      approved.output,
      /^updated {2}\/b at 400 px {2}\.service\/baselines\/b--400\.png\n1 baseline changed/,
    );
    assert.equal(
      await context.git("status", "--short"),
      "M .service/baselines/b--400.png\n M .service/baselines/manifest.jsonl",
    );
    const same = await vrs(["check", "/b", "--width", "400"]);
    assert.equal(same.code, 0, same.output);
    await context.commit();
  });

  it("report an error once, and how to fix it", async () => {
    const port = await freePort();
    const address = `http://localhost:${port}`;
    const away = await vrs(["check", "--url", address, "--json", "--quiet"]);
    assert.equal(away.code, 2);
    const { error } = JSON.parse(away.output);
    assert.equal(error.code, "server_unreachable");
    assert.match(error.message, /--start "npm run dev"/);
    await context.write("wrong/service.config.ts", "export default {\n  viewport: [400],\n};\n");
    const wrong = await vrs(["check"], join(context.root, "wrong"));
    assert.equal(wrong.code, 2);
    assert.match(
      wrong.output,
      /service\.config\.ts:2:3: "viewport" is not a known field\. Did you mean "viewports"\?/,
    );
    await rm(join(context.root, "wrong"), { recursive: true });
  });

  it("start the application of another package of the repository, and stop all of it", async () => {
    const port = await freePort();
    const address = `http://localhost:${port}`;
    const shop = join(context.root, "packages", "shop");
    await context.write("packages/shop/service.config.ts", config(address, ["/"]));
    await context.write(
      "packages/shop/server.mjs",
      `import { createServer } from "node:http";
console.log("pid " + process.pid);
setTimeout(() => createServer((_, response) => response.end("<h1>Shop</h1>")).listen(${port}), 300);`,
    );
    // The shell waits for a child process, which must end with it.
    const started = await vrs(
      ["check", "--verbose", "--start", "echo begin; node server.mjs; echo end"],
      shop,
    );
    assert.equal(started.code, 1, started.output);
    const pid = Number(/pid (\d+)/.exec(started.output)?.[1]);
    assert.throws(() => process.kill(pid, 0), /ESRCH/);
    assert.equal((await vrs(["approve"], shop)).code, 0);
    assert.deepEqual(
      (await readdir(join(shop, ".service", "baselines"))).filter(name => name.endsWith(".png")),
      ["index--400.png", "index--900.png"],
    );

    const ended = await vrs(["check", "--start", "(sleep 0.2; echo no database) & exit 3"], shop);
    assert.equal(ended.code, 2);
    assert.match(ended.output, /exited with code 3.*It printed:\n\[app\] no database/s);
    const silent = await vrs(["check", "--start", "echo waiting; sleep 60", "--start-timeout", "3"], shop);
    assert.match(silent.output, /didn't respond at \S+ within 3 s.*--start-timeout.*waiting/s);
    const captured = await vrs(["check", "--start", "true", "--url", context.site.url], shop);
    assert.match(captured.output, /Another process already responds at \S+/);
  });

  it("end with 2 after an uncaught error, and stop the application", async () => {
    const port = await freePort();
    await context.write(
      "stray/service.config.ts",
      `export default {
  baseUrl: "http://localhost:${port}",
  plugins: [{ name: "stray", beforePage: () => void setImmediate(() => { throw new Error("stray"); }) }],
};
`,
    );
    const server = `require("http").createServer((_, answer) => answer.end("<h1>Shop")).listen(${port}); console.log("pid " + process.pid)`;
    const command = `node -e '${server}'`;
    const stray = await vrs(["check", "--verbose", "--start", command], join(context.root, "stray"));
    assert.equal(stray.code, 2, stray.output);
    assert.match(stray.output, /Error: stray/);
    const pid = Number(/pid (\d+)/.exec(stray.output)?.[1]);
    await until(() => isGone(pid));
    await rm(join(context.root, "stray"), { recursive: true });
  });

  it("leave no partial files when they are killed", async () => {
    for (const route of ROUTES) context.site.pages.set(route, page(`New ${route}`, "#dfd"));
    const folder = join(context.root, ".service", "check");
    const check = start(["check"]);
    await check.until(async () => (await readdir(join(folder, "images"))).some(name => /current/.test(name)));
    await check.end("SIGKILL");
    await assertImagesWhole(join(folder, "images"));
    assert.match((await vrs(["approve"])).output, /no finished check/);

    const result = json((await vrs(["check", "--json", "--quiet"])).output);
    assert.deepEqual(
      reported(result),
      Array(8)
        .fill(0)
        .map((_, n) => `changed ${ROUTES[Math.floor(n / 2)]}`),
    );
    const baselines = join(context.root, ".service", "baselines");
    const old = await hashes(baselines);
    const approve = start(["approve"]);
    await approve.until(async () => {
      const now = await hashes(baselines);
      return [...now].some(([name, hash]) => old.get(name) !== hash);
    });
    await approve.end("SIGKILL");
    for (const name of old.keys())
      if (name.endsWith(".png")) await sharp(join(baselines, name)).raw().toBuffer();

    const completed = await vrs(["approve"]);
    assert.equal(completed.code, 0, completed.output);
    const after = await vrs(["check", "--json", "--quiet"]);
    assert.equal(json(after.output).counts.unchanged, 8, after.output.slice(0, 2000));
    const manifest = await readFile(join(baselines, "manifest.jsonl"), "utf8");
    const now = await hashes(baselines);
    for (const line of manifest.trim().split("\n").slice(1)) {
      const { file, hash } = JSON.parse(line);
      assert.equal(now.get(file), hash);
    }
  });

  it("end at once on a signal, with the application", async () => {
    const port = await freePort();
    const server = `require("node:http").createServer(() => {}).listen(${port}); console.log("pid " + process.pid)`;
    const check = start([
      "check",
      "--verbose",
      "--url",
      `http://localhost:${port}`,
      "--start",
      `node -e '${server}'`,
    ]);
    await check.until(() => /pid \d+/.test(check.output));
    await check.end("SIGINT");
    assert.equal(check.exitCode, 130, check.output);
    assert.throws(() => process.kill(Number(/pid (\d+)/.exec(check.output)?.[1]), 0), /ESRCH/);
  });

  async function hashes(folder: string): Promise<Map<string, string>> {
    const names = (await readdir(folder)).filter(name => !name.startsWith("."));
    return new Map(
      await Promise.all(
        names.map(
          async name => [name, sha256(await readFile(join(folder, name)))] satisfies [string, string],
        ),
      ),
    );
  }

  /** Each image's name contains the beginning of its hash. */
  async function assertImagesWhole(folder: string): Promise<void> {
    for (const [name, hash] of await hashes(folder)) {
      if (name.includes(".current-")) assert.ok(name.includes(hash.slice(0, 12)), name);
      await sharp(join(folder, name)).raw().toBuffer();
    }
  }
});

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
