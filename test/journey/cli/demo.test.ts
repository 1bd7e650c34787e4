import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const ROOT = join(import.meta.dirname, "../../..");

async function demo(env: Record<string, string> = {}): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(process.execPath, ["cli/demo/main.ts", "--exit"], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code, out, err };
}

describe("npm run demo", () => {
  it("finds every edit of the site's second version and nothing else, whatever variables are set", async () => {
    const { code, out, err } = await demo({
      DATABASE_URL: "postgres://nobody@127.0.0.1:1/theirs",
      SERVICES: "gateway",
    });
    assert.equal(code, 0, out + err);
    assert.equal(err, "");
    assert.match(out, /First version +12 screenshots, 12 new/);
    assert.match(out, /Second version +12 screenshots, 1 unchanged, 11 changed/);
    assert.match(out, /\/pricing +1280 +± changed +0\.\d\d?% +2\n/);
    assert.match(out, /✓ 11 changed, 1 unchanged/);
  });

  it("explains why the service did not start, and where its log is", async () => {
    const { code, err } = await demo({ RENDER_CONCURRENCY: "none" });
    assert.equal(code, 1);
    assert.match(err, /The demo failed\. The service stopped unexpectedly \(exit code 1\)\./);
    const log = /Log of the service: (.+)/.exec(err)?.[1] ?? "";
    assert.match(await readFile(join(ROOT, log), "utf8"), /RENDER_CONCURRENCY/);
  });
});
