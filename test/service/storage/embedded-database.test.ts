import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openEmbeddedDatabase } from "../../../mixins/database/embedded-database.ts";
import { lockFolder } from "../../../mixins/database/folder-lock.ts";
import { loadConfig } from "../../../shared/config.ts";

/** A busy machine makes the database in some seconds. */
const CLOSE_TIMEOUT_MS = 60_000;

describe("The embedded database", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-embedded-database-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("names the variables to set when its files can't be created", async () => {
    // A file in place of a folder also stops root, unlike another user's folder.
    const file = join(folder, "file");
    await writeFile(file, "");
    const config = loadConfig({ SERVICE_DATA_DIR: join(file, "data"), SERVICE_CACHE_DIR: folder });
    await assert.rejects(
      openEmbeddedDatabase(config),
      /ENOTDIR: .*file\/data.*\. Set SERVICE_DATA_DIR and SERVICE_CACHE_DIR to folders that this user can/,
    );
  });

  it("belongs to one of two processes that open it at the same moment, after one that was killed", async () => {
    const lock = `
      import { lockFolder } from ${JSON.stringify(new URL("../../../mixins/database/folder-lock.ts", import.meta.url).href)};
      await lockFolder(${JSON.stringify(folder)});
      process.kill(process.pid, "SIGKILL");`;
    await assert.rejects(
      promisify(execFile)(process.execPath, ["--input-type=module-typescript", "-e", lock]),
    );
    for (let round = 0; round < 5; round++) {
      // Neither has seen the other's lock yet.
      const outcomes = await Promise.allSettled([1, 2].map(() => lockFolder(folder)));
      const taken = outcomes.flatMap(outcome => (outcome.status === "fulfilled" ? [outcome.value] : []));
      assert.equal(taken.length, 1);
      await assert.rejects(lockFolder(folder), /is in use/);
      for (const socket of taken.flat()) socket.close();
    }
    assert.deepEqual(await readdir(folder), []);
  });

  it("closes at any moment of a query", async () => {
    const program = join(import.meta.dirname, "../../support/servers/closing-database.ts");
    const env = { ...process.env, SERVICE_DATA_DIR: join(folder, "data") };
    const { stdout } = await promisify(execFile)(process.execPath, [program], {
      env,
      timeout: CLOSE_TIMEOUT_MS,
      killSignal: "SIGKILL",
    });
    assert.equal(stdout, "closed\n");
  });
});
