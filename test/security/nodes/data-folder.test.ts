import assert from "node:assert/strict";
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeEmbeddedDatabase, openEmbeddedDatabase } from "../../../mixins/database/embedded-database.ts";
import { FileImageStore } from "../../../mixins/images/file-image-store.ts";
import { type Config, loadConfig } from "../../../shared/config.ts";

/** PostgreSQL writes this cache as its umask says; the folder around it keeps others out. */
const CACHES = /\/pg_internal\.init$/;

describe("The data folder", () => {
  // Permissions are something else there.
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

  /** What a start does with it, and an image that is stored. */
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
  /** Whatever in it another account may touch, with its mode. */
  const open = async () => {
    const names = await readdir(dataDir, { recursive: true });
    const found = await Promise.all(
      [".", ...names].map(async name => ({ name, mode: (await lstat(join(dataDir, name))).mode & 0o777 })),
    );
    assert.ok(found.length > 500, "the database is there");
    return found.filter(({ name, mode }) => (mode & 0o077) !== 0 && !CACHES.test(name));
  };

  it("belongs to its account alone from the start", async () => {
    await start();
    assert.deepEqual(await open(), []);
    await stop();
    assert.deepEqual([(await lstat(dataDir)).mode & 0o777, warnings], [0o700, []]);
  });

  it("from before is closed to other accounts, with all that is in it", async () => {
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

  it("that other accounts share stays as it is, and the log says so", async () => {
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

  it("holds the key of stored secrets, which stays the same and is made once", async () => {
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

  it("has its key used for reading only once SERVICE_SECRET_KEY is set", async () => {
    const { secretKeys } = await start();
    await stop();
    const SERVICE_SECRET_KEY = Buffer.alloc(32, 7).toString("base64");
    config = loadConfig({ SERVICE_DATA_DIR: dataDir, SERVICE_SECRET_KEY });
    const changed = await start();
    await stop();
    const inOrder = changed.secretKeys.map(key => key.export().toString("base64"));
    assert.deepEqual(inOrder, [SERVICE_SECRET_KEY, secretKeys[0]?.export().toString("base64")]);
  });

  it("with a key file that holds none ends the start with what to do", async () => {
    await mkdir(dataDir);
    await writeFile(join(dataDir, "secret.key"), "");
    await assert.rejects(start(), /secret\.key contains no key\. Restore it from a backup\./);
    await stop().catch(() => {});
  });

  it("keeps images elsewhere readable for the other nodes that share them", async () => {
    const shared = join(folder, "shared");
    const images = await FileImageStore.open(shared);
    await images.put(Buffer.from("image"));
    assert.equal((await lstat(shared)).mode & 0o777, 0o777 & ~process.umask());
  });
});
