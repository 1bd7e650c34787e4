import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { after, before, describe, it } from "mocha";
import { type Service, ServiceBroker } from "moleculer";
import { imageStore, type WithImages } from "../../../mixins/image-store.ts";
import { FileImageStore } from "../../../mixins/images/file-image-store.ts";
import { imagePath } from "../../../mixins/images/image-hash.ts";
import { S3ImageStore } from "../../../mixins/images/s3-image-store.ts";
import { brokerOptions } from "../../../moleculer.config.ts";
import { loadConfig } from "../../../shared/config.ts";
import { service } from "../../../shared/contracts/bus.ts";
import type { ImageStore, StoredImage } from "../../../shared/contracts/image-store.ts";
import type { ImageStoreConfig } from "../../../shared/environment/variable-kinds.ts";
import { S3Server } from "../../support/servers/s3-server.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const png = () => randomBytes(50_000);
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const none = "0".repeat(64);

/** Lists everything older than a moment this far in the future. */
async function listed(store: ImageStore, aheadMs = DAY_MS): Promise<StoredImage[]> {
  const all: StoredImage[] = [];
  for await (const part of store.olderThan(new Date(Date.now() + aheadMs))) all.push(...part);
  return all;
}

function bucketAt(endpoint: string, bucket = "images"): Extract<ImageStoreConfig, { kind: "s3" }> {
  return { kind: "s3", bucket, prefix: "team one/images", endpoint, region: "us-east-1" };
}

function noWarning(message: string): void {
  throw new Error(message);
}

describe("Image stores", () => {
  let folder: string;
  let s3: S3Server;
  let inFolder: FileImageStore;
  let inBucket: S3ImageStore;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "vrs-images-"));
    s3 = await S3Server.start();
    Object.assign(process.env, s3.credentials);
    inFolder = await FileImageStore.open(folder);
    inBucket = await S3ImageStore.open(bucketAt(s3.endpoint), noWarning);
  });

  after(async () => {
    await inBucket?.close();
    await s3?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Writes other bytes to an image's place. */
  const alter = async (store: ImageStore, hash: string) => {
    const path = imagePath(hash);
    if (store === inFolder) return writeFile(join(folder, path), png());
    const { bucket, prefix, region } = bucketAt(s3.endpoint);
    const client = new S3Client({ endpoint: s3.endpoint, region, forcePathStyle: true });
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: `${prefix}/${path}`, Body: png() }));
    client.destroy();
  };

  const behaviours: Record<string, (store: ImageStore) => Promise<void>> = {
    async "has no image that was not stored, and says which"(store) {
      await assert.rejects(store.get(none), new RegExp(`no image ${none}`));
      assert.equal(await store.open(none), null);
      await assert.rejects(store.get("../../etc/passwd"), /not a SHA-256/);
      await assert.rejects(store.open("../../etc/passwd"), /not a SHA-256/);
    },

    async "keeps an image under its hash, stored once or twice"(store) {
      const image = png();
      assert.equal(await store.put(image), sha256(image));
      assert.equal(await store.put(image), sha256(image));
      assert.deepEqual(await store.get(sha256(image)), image);
      assert.equal((await listed(store)).filter(each => each.hash === sha256(image)).length, 1);
    },

    async "keeps an image that many store at once"(store) {
      const image = png();
      const hashes = await Promise.all(Array.from({ length: 20 }, () => store.put(image)));
      assert.deepEqual(new Set(hashes), new Set([sha256(image)]));
      assert.deepEqual(await store.get(sha256(image)), image);
      const entries = (await listed(store)).filter(each => each.hash === sha256(image));
      assert.deepEqual(entries, [{ hash: sha256(image), bytes: image.length, aside: false }]);
    },

    async "gives out no image that somebody altered, and says which"(store) {
      const hash = await store.put(png());
      await alter(store, hash);
      await assert.rejects(store.get(hash), new RegExp(`image ${hash} was changed`));
    },

    async "streams an image with its length"(store) {
      const image = randomBytes(3_000_000);
      const opened = await store.open(await store.put(image));
      assert.equal(opened?.bytes, image.length);
      assert.deepEqual(opened && (await buffer(opened.stream)), image);
    },

    async "serves on after many readers who went away in the middle"(store) {
      const hash = await store.put(randomBytes(3_000_000));
      for (let reader = 0; reader < 100; reader++) {
        const opened = await store.open(hash);
        opened?.stream.destroy();
      }
      assert.equal((await store.get(hash)).length, 3_000_000);
    },

    async "lists by age, and by the state that it is in"(store) {
      const image = png();
      const hash = await store.put(image);
      assert.equal((await listed(store, -DAY_MS)).length, 0, "all are young");
      assert.equal((await listed(store)).find(each => each.hash === hash)?.aside, false);
      await store.setAside([hash]);
      assert.equal((await listed(store)).find(each => each.hash === hash)?.aside, true);
      await store.putBack([hash]);
      assert.equal((await listed(store)).find(each => each.hash === hash)?.aside, false);
      assert.deepEqual(await store.get(hash), image);
    },

    async "reads what was set aside, and removes nothing else"(store) {
      const [kept, aside] = [png(), png()];
      const hashes = await Promise.all([kept, aside].map(image => store.put(image)));
      await store.setAside([sha256(aside), none]);
      assert.deepEqual(await store.get(sha256(aside)), aside);
      const opened = await store.open(sha256(aside));
      assert.deepEqual(opened && (await buffer(opened.stream)), aside);

      await store.remove([...hashes, none]);
      assert.deepEqual(await store.get(sha256(kept)), kept);
      await assert.rejects(store.get(sha256(aside)), /no image/);
      await store.putBack([sha256(aside), none]);
      assert.equal(await store.open(sha256(aside)), null);
    },

    async "stores anew what was set aside, and lists the old one first"(store) {
      const image = png();
      const hash = await store.put(image);
      await store.setAside([hash]);
      await store.put(image);
      const entries = (await listed(store)).filter(each => each.hash === hash);
      assert.deepEqual(
        entries.map(each => each.aside),
        [true, false],
      );
      await store.remove([hash]);
      assert.deepEqual(await store.get(hash), image);
    },

    async "can be read at every moment of being set aside and put back"(store) {
      const hash = await store.put(png());
      for (let round = 0; round < 20; round++) {
        for (const move of ["setAside", "putBack"] as const) {
          const moved = store[move]([hash]);
          const reads = Array.from({ length: 10 }, () => store.get(hash));
          for (const image of await Promise.all(reads)) assert.equal(image.length, 50_000);
          await moved;
        }
      }
    },
  };

  for (const [kind, store] of [
    ["a folder", () => inFolder],
    ["a bucket", () => inBucket],
  ] as const) {
    describe(kind, () => {
      for (const [name, behaviour] of Object.entries(behaviours)) it(name, () => behaviour(store()));
    });
  }

  it("are opened once for all services of a node, and closed with the last of them", async () => {
    const config = loadConfig({ IMAGE_STORE_URL: s3.url, LOG_LEVEL: "fatal" });
    const broker = new ServiceBroker(brokerOptions(config));
    const stores: ImageStore[] = [];
    const closed: string[] = [];
    for (const name of ["one", "two", "three"]) {
      broker.createService(
        service<Service & WithImages>({
          name,
          mixins: [imageStore()],
          async started() {
            stores.push(this.images);
            this.images.close = async () => void closed.push(name);
          },
        }),
      );
    }
    await broker.start();
    assert.equal(stores.length, 3);
    assert.equal(new Set(stores).size, 1);
    const [store] = stores;
    assert.ok(store instanceof S3ImageStore);
    await broker.destroyService("one");
    await broker.destroyService("two");
    assert.deepEqual(closed, []);
    await broker.stop();
    assert.equal(closed.length, 1);
    await S3ImageStore.prototype.close.call(store);
  });

  describe("A folder that nodes share", () => {
    const age = async (store: FileImageStore, at: string, hash: string) => {
      const path = join(at, hash.slice(0, 2), hash.slice(2, 4), `${hash}.png`);
      await utimes(path, new Date(Date.now() - 2 * DAY_MS), new Date(Date.now() - 2 * DAY_MS));
      assert.ok((await listed(store, -DAY_MS)).some(each => each.hash === hash));
      return path;
    };

    it("resets the age of an image that is stored again", async () => {
      const image = png();
      const hash = await inFolder.put(image);
      await age(inFolder, folder, hash);
      await inFolder.put(image);
      assert.deepEqual(await listed(inFolder, -DAY_MS), []);
    });

    it("counts the age of an image that is set aside from then on", async () => {
      const hash = await inFolder.put(png());
      await age(inFolder, folder, hash);
      await inFolder.setAside([hash]);
      assert.deepEqual(await listed(inFolder, -DAY_MS), []);
    });

    it("deletes old temporary files of dead writers", async () => {
      const path = await age(inFolder, folder, await inFolder.put(png()));
      const drafts = [
        "00000000-0000-4000-8000-000000000000",
        "00000000-0000-4000-8000-000000000001",
      ] as const;
      for (const draft of drafts) await writeFile(`${path}.${draft}`, "half");
      await utimes(`${path}.${drafts[0]}`, 0, 0);
      await listed(inFolder, -DAY_MS);
      const left = (await readdir(join(path, ".."))).filter(name => name.endsWith("0") || name.endsWith("1"));
      assert.deepEqual(left, [`${path.split("/").at(-1)}.${drafts[1]}`]);
    });

    it("fails the start of a service that stores images if it isn't writable", async function () {
      if (process.platform === "win32") this.skip();
      const closed = join(folder, "closed");
      await FileImageStore.open(closed);
      await FileImageStore.requireWritable(closed);
      await chmod(closed, 0o555);
      const store = new URL("../../../mixins/images/file-image-store.ts", import.meta.url).href;
      // Root can write everywhere, and another user may be unable to read the module.
      const script = `import { FileImageStore } from "${store}"; if (process.getuid() === 0) process.setuid(65534);
        await FileImageStore.requireWritable(process.argv[1])`;
      const args = ["--input-type=module", "--eval", script, closed];
      await chmod(folder, 0o755);
      const child = promisify(execFile)(process.execPath, args);
      await assert.rejects(child, /Images can't be stored in \S+closed: EACCES/);
    });

    it("creates its folder again when it was deleted", async () => {
      const gone = join(folder, "gone");
      const store = await FileImageStore.open(gone);
      const image = png();
      await store.put(image);
      await rm(gone, { recursive: true });
      assert.deepEqual(await listed(store), []);
      await assert.rejects(store.get(sha256(image)), /no image/);
      await store.put(image);
      assert.deepEqual(await store.get(sha256(image)), image);
    });
  });

  describe("A bucket", () => {
    it("stores an image again only if the old one may soon expire", async () => {
      const image = png();
      const hash = await inBucket.put(image);
      const path = `images/team one/images/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}.png._S3rver_object`;
      const file = join(s3.folder, path);
      const ageAfterPut = async (hours: number) => {
        const then = new Date(Date.now() - hours * HOUR_MS);
        await utimes(file, then, then);
        await inBucket.put(image);
        return (Date.now() - (await stat(file)).mtimeMs) / HOUR_MS;
      };
      assert.ok((await ageAfterPut(11)) > 10, "young: left as it was");
      assert.ok((await ageAfterPut(13)) < 1, "half as old as what is cleaned up: as young as a new one");
    });

    it("fails the start when it doesn't exist", async () => {
      const open = S3ImageStore.open(bucketAt(s3.endpoint, "elsewhere"), noWarning);
      await assert.rejects(open, /IMAGE_STORE_URL: the bucket elsewhere at .* can't be used \(NoSuchBucket/);
    });

    it("fails the start when it rejects the credentials", async () => {
      try {
        process.env.AWS_ACCESS_KEY_ID = "somebody";
        await assert.rejects(S3ImageStore.open(bucketAt(s3.endpoint), noWarning), /\(InvalidAccessKeyId/);
      } finally {
        Object.assign(process.env, s3.credentials);
      }
    });

    it("may be unreachable for a while, even at the start", async () => {
      const image = png();
      const hash = await inBucket.put(image);
      const warnings: string[] = [];
      await s3.refuse();
      const early = await S3ImageStore.open(bucketAt(s3.endpoint), message => warnings.push(message));
      try {
        assert.match(warnings.join(), /the bucket images at .* is not reachable yet \(.*ECONNREFUSED/);
        for (const store of [inBucket, early]) {
          await assert.rejects(store.put(png()), /ECONNREFUSED/);
          await assert.rejects(store.get(hash), /ECONNREFUSED/);
          await assert.rejects(
            store.open(hash),
            /ECONNREFUSED/,
            "not the same as an image that is not there",
          );
          await assert.rejects(listed(store), /ECONNREFUSED/);
        }
        await s3.accept();
        for (const store of [inBucket, early]) assert.deepEqual(await store.get(hash), image);
      } finally {
        await early.close();
      }
    });

    it("times out when it accepts connections and never responds", async () => {
      s3.pause();
      try {
        const warnings: string[] = [];
        const early = await S3ImageStore.open(bucketAt(s3.endpoint), message => warnings.push(message));
        await early.close();
        assert.match(warnings.join(), /did not respond within 5000 ms/);
        await assert.rejects(inBucket.open(none), /did not respond within 10000 ms/);
      } finally {
        s3.resume();
      }
      assert.equal(await inBucket.open(none), null);
    });

    it("fails a stream that the store cut, rather than ending it", async () => {
      // Declares a longer body than it sends.
      const server = createServer(socket =>
        socket.once("data", () => {
          socket.end("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nContent-Type: image/png\r\n\r\nhalf");
        }),
      ).listen(0, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      const store = await S3ImageStore.open(bucketAt(`http://127.0.0.1:${port}`), () => {});
      try {
        const opened = await store.open(none);
        assert.ok(opened);
        await assert.rejects(buffer(opened.stream), /aborted/);
        await assert.rejects(store.get(none), /aborted/);
      } finally {
        await store.close();
        server.close();
      }
    });
  });
});
