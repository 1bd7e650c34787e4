import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const ROOT = join(import.meta.dirname, "../../..");

/** Runs setup in a folder, without a registry. */
async function setUp(folder: string): Promise<{ code: number; printed: string }> {
  const child = spawn(process.execPath, [join(folder, "cli", "setup.mjs")], {
    env: {
      ...process.env,
      npm_config_registry: "http://127.0.0.1:9/",
      npm_config_cache: join(folder, "cache"),
      npm_config_fetch_retries: "0",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [printed, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  return { code, printed };
}

describe("setup", () => {
  let clone: string;

  beforeEach(async () => {
    clone = await mkdtemp(join(tmpdir(), "vrs-setup-"));
    await mkdir(join(clone, "cli"));
    for (const name of ["setup.mjs", "shell-command.mjs"])
      await copyFile(join(ROOT, "cli", name), join(clone, "cli", name));
  });
  afterEach(() => rm(clone, { recursive: true, force: true }));

  it("prints nothing if everything is installed", async () => {
    assert.deepEqual(await setUp(ROOT), { code: 0, printed: "" });
  });

  it("reports that the registry can't be reached", async () => {
    for (const file of ["package.json", "package-lock.json"])
      await copyFile(join(ROOT, file), join(clone, file));
    const { code, printed } = await setUp(clone);
    assert.equal(code, 1);
    assert.match(printed, /Installing \d+ packages/);
    assert.match(printed, /Failed to reach the npm registry/);
  });

  it("reinstalls after a package's version differs from the lock", async () => {
    for (const file of ["package.json", "package-lock.json"])
      await copyFile(join(ROOT, file), join(clone, file));
    await mkdir(join(clone, "node_modules"));
    const installed = JSON.parse(await readFile(join(ROOT, "node_modules", ".package-lock.json"), "utf8"));
    installed.packages["node_modules/zod"].version = "1.0.0";
    await writeFile(join(clone, "node_modules", ".package-lock.json"), JSON.stringify(installed));
    const { code, printed } = await setUp(clone);
    assert.equal(code, 1);
    assert.match(printed, /Installing \d+ packages/);
  });

  it("reports an incomplete clone without a lock", async () => {
    const { code, printed } = await setUp(clone);
    assert.equal(code, 1);
    assert.match(printed, /has no package-lock\.json: the clone is incomplete/);
  });
});
