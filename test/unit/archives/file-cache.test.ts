import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { FileCache, openCacheFolder } from "../../../services/renderer/file-cache.ts";

const BYTES = 1_000;

describe("A renderer's cache of archives", () => {
  let folder: string;
  let fetched: string[];
  let cache: FileCache;
  const hashOf = (index: number) => String(index).padStart(64, "0");

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-file-cache-"));
    fetched = [];
    const get = async (hash: string) => {
      fetched.push(hash);
      if (hash === hashOf(99)) throw new Error("The store doesn't have it.");
      return Buffer.alloc(BYTES, hash.at(-1));
    };
    cache = new FileCache(folder, { get }, 10 * BYTES);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const read = async (index: number, range: { start: number; end: number } | null = null) =>
    await text(await cache.open(hashOf(index), range));

  it("fetches a file once, also for many pages at the same time, and reads parts of it", async () => {
    await Promise.all([1, 2, 3].map(() => read(7)));
    assert.equal(await read(7, { start: 10, end: 14 }), "77777");
    assert.deepEqual(fetched, [hashOf(7)]);
  });

  it("stays within its bound", async () => {
    for (let index = 0; index < 30; index++) await read(index);
    const names = await readdir(folder);
    const sizes = await Promise.all(names.map(async name => (await stat(join(folder, name))).size));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(bytes <= 10 * BYTES, `${bytes} bytes`);
    assert.ok(names.includes(hashOf(29)));
    assert.equal(await read(0), "0".repeat(BYTES));
  });

  it("keeps nothing of a file that could not be fetched", async () => {
    await assert.rejects(read(99), /store doesn't have it/);
    await assert.rejects(read(99), /store doesn't have it/);
    assert.equal(fetched.length, 2);
    assert.deepEqual(await readdir(folder), []);
  });

  it("keeps its folder for the next start", async () => {
    const { path, close } = await openCacheFolder(folder);
    assert.equal(path, join(folder, "archives"));
    await close();
    assert.ok(existsSync(path));
  });

  it("deletes a temporary folder that it got because its own can't be written", async () => {
    const file = join(folder, "no-folder");
    await writeFile(file, "");
    const { path, close } = await openCacheFolder(file);
    assert.ok(path.startsWith(tmpdir()) && existsSync(path));
    await close();
    assert.ok(!existsSync(path));
  });
});
