import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ResponseFolder } from "../../../cli/check/screenshots/response-folder.ts";

const hashOf = (body: Buffer) => createHash("sha256").update(body).digest("hex");
const bodyOf = (letter: string) => Buffer.alloc(100, letter);

describe("The folder of responses", () => {
  let path: string;
  let folder: ResponseFolder;
  beforeEach(async () => {
    path = join(await mkdtemp(join(tmpdir(), "vrs-responses-")), "responses");
    folder = new ResponseFolder(path, 1_000);
    await folder.prepare();
  });
  afterEach(() => rm(join(path, ".."), { recursive: true, force: true }));

  /** Stores a body that was used some minutes ago. */
  async function storeOld(letter: string, minutes: number): Promise<void> {
    await folder.store([bodyOf(letter)]);
    const at = new Date(Date.now() - minutes * 60_000);
    await utimes(join(path, hashOf(bodyOf(letter))), at, at);
  }

  it("keeps its limit during a check, and deletes the oldest responses first", async () => {
    for (const [index, letter] of [..."abcdefghij"].entries()) await storeOld(letter, 100 - index);
    const all = [..."abcdefghijk"].map(letter => hashOf(bodyOf(letter)));
    assert.equal((await folder.read(all)).size, 10);
    for (const [index, letter] of [..."abcdefghij"].entries()) {
      const at = new Date(Date.now() - (100 - index) * 60_000);
      await utimes(join(path, hashOf(bodyOf(letter))), at, at);
    }
    await folder.store([bodyOf("k")]);
    assert.deepEqual([...(await folder.read(all)).keys()], all.slice(3));
  });

  it("keeps responses that are stored again", async () => {
    await storeOld("a", 100);
    for (const letter of "bcdefghij") await storeOld(letter, 50);
    await folder.store([bodyOf("a"), bodyOf("k")]);
    const kept = await folder.read([hashOf(bodyOf("a")), hashOf(bodyOf("k"))]);
    assert.equal(kept.size, 2);
  });

  it("can only be read by its user, and removes what killed checks left half-written", async function () {
    if (process.platform === "win32") this.skip();
    await folder.store([bodyOf("a")]);
    const modes = [path, join(path, hashOf(bodyOf("a")))].map(async one => (await stat(one)).mode & 0o777);
    assert.deepEqual(await Promise.all(modes), [0o700, 0o600]);
    const draft = join(path, ".vrs-draft-1-x");
    await writeFile(draft, "half");
    await utimes(draft, new Date(0), new Date(0));
    await folder.prepare();
    assert.deepEqual(await readdir(path), [hashOf(bodyOf("a"))]);
  });

  it("leaves out damaged responses", async () => {
    await folder.store([bodyOf("a")]);
    await writeFile(join(path, hashOf(bodyOf("a"))), "other");
    assert.equal((await folder.read([hashOf(bodyOf("a"))])).size, 0);
  });
});
