/**
 * An S3 server on a folder. An object is there completely or not at all, as in every real store. s3rver's own
 * store writes an object in place, so that a reader can get a part of it.
 * node s3-program.mjs <folder> <port> <bucket> [address]
 */
import { createHash, randomUUID } from "node:crypto";
import { copyFile, mkdir, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { buffer } from "node:stream/consumers";
import S3rver from "s3rver";

const [directory, port, bucket, address = "127.0.0.1"] = process.argv.slice(2);

const server = new S3rver({
  address,
  port: Number(port),
  silent: true,
  // A container's name isn't a bucket.
  vhostBuckets: false,
  directory,
  configureBuckets: [{ name: bucket }],
});
const { store } = server;

store.putObject = async ({ bucket, key, content, metadata }) => {
  const bytes = Buffer.isBuffer(content) ? content : await buffer(content);
  const md5 = createHash("md5").update(bytes).digest("hex");
  await place(store.getResourcePath(bucket, key, "object"), draft => writeFile(draft, bytes));
  await store.putMetadata(bucket, key, metadata, md5);
  return { size: bytes.length, md5 };
};

store.copyObject = async (fromBucket, fromKey, bucket, key) => {
  for (const part of ["metadata.json", "object.md5", "object"]) {
    const from = store.getResourcePath(fromBucket, fromKey, part);
    await place(store.getResourcePath(bucket, key, part), draft => copyFile(from, draft));
  }
  return store.getMetadata(bucket, key);
};

/** Writes a file to a temporary name, and moves it into place in one step. */
async function place(path, write) {
  const draft = `${path}.${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true });
  await write(draft);
  await rename(draft, path);
}

await server.run();
console.log("listening");
