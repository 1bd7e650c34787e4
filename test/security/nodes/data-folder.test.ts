import assert from "node:assert/strict";
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeEmbeddedDatabase, openEmbeddedDatabase } from "../../../mixins/database/embedded-database.ts";
import { FileImageStore } from "../../../mixins/images/file-image-store.ts";
import { type Config, loadConfig } from "../../../shared/config.ts";

/** PostgreSQL writes this cache with its umask. The folder around it protects it. */
const CACHES = /\/pg_internal\.init$/;

describe("The data folder", () => {
  // Windows has other permissions.
  before(function () {
    if (process.platform === "win32") this.skip();
  });

  let folder: string;
  let dataDir: string;
  let config: Config;
  const warnings: string[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-data-folder-"));
    dataDir = join(folder, "data");
    config = loadConfig({ SERVICE_DATA_DIR: dataDir });
    warnings.length = 0;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Starts the service and stores an image. */
  const start = async () => {
    const database = await openEmbeddedDatabase(config, text => warnings.push(text));
    const images = await FileImageStore.open(join(dataDir, "images"), { isPrivate: true });
    const hash = await images.put(Buffer.from(`image ${Math.random()}`));
    await database.pglite.exec(
      "create table if not exists note (id int); insert into note select 1; checkpoint",
    );
    return { ...database, hash };
  };
  const stop = () => closeEmbeddedDatabase(dataDir);
  /** Returns everything in the folder that another account can access, with its mode. */
  const open = async () => {
    const names = await readdir(dataDir, { recursive: true });
    const found = await Promise.all(
      [".", ...names].map(async name => ({ name, mode: (await lstat(join(dataDir, name))).mode & 0o777 })),
    );
    assert.ok(found.length > 500, "the database is there");
    return found.filter(({ name, mode }) => (mode & 0o077) !== 0 && !CACHES.test(name));
  };

  it("is private to its account from the start", async () => {
    await start();
    assert.deepEqual(await open(), []);
    await stop();
    assert.deepEqual([(await lstat(dataDir)).mode & 0o777, warnings], [0o700, []]);
  });

  it("becomes private with all its content if an earlier version created it", async () => {
    await start();
    await stop();
    const names = await readdir(dataDir, { recursive: true, withFileTypes: true });
    for (const entry of names)
      await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
    await chmod(dataDir, 0o755);
    assert.ok((await open()).length > 500);
    await start();
    assert.deepEqual(await open(), []);
    await stop();
  });

  it("keeps its permissions if other accounts share it, with a warning", async () => {
    await mkdir(dataDir);
    await chmod(dataDir, 0o1777);
    await start();
    assert.deepEqual(
      (await open()).map(({ name }) => name),
      ["."],
    );
    await stop();
    assert.match(warnings.join(), /Other accounts share \S+data\. Set SERVICE_DATA_DIR/);
  });

  it("holds the key of stored secrets, which is created once", async () => {
    const { secretKeys } = await start();
    await stop();
    const text = await readFile(join(dataDir, "secret.key"), "utf8");
    assert.equal((await lstat(join(dataDir, "secret.key"))).mode & 0o777, 0o600);
    assert.deepEqual(
      secretKeys.map(key => key.export().toString("base64")),
      [text.trim()],
    );
    const again = await start();
    await stop();
    assert.ok(again.secretKeys[0]?.equals(secretKeys[0] ?? again.secretKeys[0]));
  });

  it("uses its key only for decryption once SERVICE_SECRET_KEY is set", async () => {
    const { secretKeys } = await start();
    await stop();
    const SERVICE_SECRET_KEY = Buffer.alloc(32, 7).toString("base64");
    config = loadConfig({ SERVICE_DATA_DIR: dataDir, SERVICE_SECRET_KEY });
    const changed = await start();
    await stop();
    const inOrder = changed.secretKeys.map(key => key.export().toString("base64"));
    assert.deepEqual(inOrder, [SERVICE_SECRET_KEY, secretKeys[0]?.export().toString("base64")]);
  });

  it("ends the start with the remedy if its key file contains no key", async () => {
    await mkdir(dataDir);
    await writeFile(join(dataDir, "secret.key"), "");
    await assert.rejects(start(), /secret\.key contains no key\. Restore it from a backup\./);
    await stop().catch(() => {});
  });

  it("keeps images outside of it readable for other nodes", async () => {
    const shared = join(folder, "shared");
    const images = await FileImageStore.open(shared);
    await images.put(Buffer.from("image"));
    assert.equal((await lstat(shared)).mode & 0o777, 0o777 & ~process.umask());
  });
});
