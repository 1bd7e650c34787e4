import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Child } from "../../support/drivers/child.ts";
import { freePort } from "../../support/drivers/free-port.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** Signals npm as a supervisor does that started it. */
describe("npm, on a signal", () => {
  const answers = (baseUrl: string) =>
    fetch(`${baseUrl}/ready`).then(
      answer => answer.ok,
      () => false,
    );
  const npm = (args: string[], env: Record<string, string> = {}) =>
    new Child("npm", args, { cwd: ROOT, env: { ...process.env, ...env }, detached: true });
  /** Processes that npm left behind. */
  const clear = ({ pid }: Child) => {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // None are left.
    }
  };

  it("leaves no service running", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "vrs-npm-"));
    const port = await freePort();
    const start = npm(["start"], { PORT: String(port), SERVICE_DATA_DIR: dataDir, LOG_LEVEL: "warn" });
    try {
      const baseUrl = `http://localhost:${port}`;
      await start.until(() => answers(baseUrl));
      await start.end("SIGTERM");
      assert.equal(await answers(baseUrl), false);
    } finally {
      clear(start);
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  });
});
