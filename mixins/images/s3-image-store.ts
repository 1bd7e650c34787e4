import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { forEachBatch } from "../../shared/async.ts";
import type { ImageStore, OpenImage, StoredImage } from "../../shared/contracts/image-store.ts";
import type { ImageStoreConfig } from "../../shared/environment/variable-kinds.ts";
import { IMAGE_MESSAGES } from "../texts.ts";
import { asidePath, IMAGES, imageAt, imagePath, type ObjectKind, verifyImage } from "./image-hash.ts";
import { isReceived, S3Uploads } from "./s3-uploads.ts";

/** A younger image is not stored again. The cleanup removes none younger than twice that. */
const YOUNG_MS = 12 * 3_600_000;
/** A node must start in reasonable time. The store may come later. */
const CHECK_TIMEOUT_MS = 5_000;
/** A person waits for an opened image. Jobs can wait longer, and are retried. */
const OPEN_TIMEOUT_MS = 10_000;
const REQUEST_CONCURRENCY = 16;

type Bucket = Extract<ImageStoreConfig, { kind: "s3" }>;

/** Images as objects in a bucket of S3 or a compatible store. */
export class S3ImageStore implements ImageStore {
  readonly #bucket: Bucket;
  readonly #client: S3Client;
  readonly uploads: S3Uploads;
  /** Prefix of every key. */
  readonly #root: string;
  readonly #kind: ObjectKind;

  private constructor(bucket: Bucket, kind: ObjectKind) {
    this.#bucket = bucket;
    this.#kind = kind;
    this.#root = bucket.prefix === "" ? "" : `${bucket.prefix}/`;
    this.#client = new S3Client({
      region: bucket.region,
      ...(bucket.endpoint !== null && { endpoint: bucket.endpoint, forcePathStyle: true }),
      maxAttempts: 3,
      // Not every S3-compatible store supports the checksums that this client adds by default.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: {
        connectionTimeout: 3_000,
        requestTimeout: 30_000,
        throwOnRequestTimeout: true,
        // A stalled body, because of the store or its reader, must not hold its socket forever.
        socketTimeout: 30_000,
        httpAgent: { keepAlive: true, maxSockets: 64 },
        httpsAgent: { keepAlive: true, maxSockets: 64 },
      },
    });
    this.uploads = new S3Uploads(this.#client, bucket, this.#root);
  }

  /**
   * Opens a bucket. If the store doesn't respond yet, it only calls `warn`.
   * @throws Error if the bucket doesn't exist, or the store rejects the credentials
   */
  static async open(
    bucket: Bucket,
    warn: (message: string) => void,
    kind: ObjectKind = IMAGES,
  ): Promise<S3ImageStore> {
    const store = new S3ImageStore(bucket, kind);
    try {
      await store.#check();
    } catch (error) {
      const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      if (isFinal(error)) {
        await store.close();
        throw new Error(IMAGE_MESSAGES.refused(store.#name, why));
      }
      warn(IMAGE_MESSAGES.unreachable(store.#name, why));
    }
    return store;
  }

  async put(png: Buffer): Promise<string> {
    const hash = createHash("sha256").update(png).digest("hex");
    const key = this.#root + imagePath(hash, this.#kind);
    if (await this.#isYoung(key)) return hash;
    await this.#client.send(
      new PutObjectCommand({
        Bucket: this.#bucket.bucket,
        Key: key,
        Body: png,
        ContentLength: png.length,
        ContentType: this.#kind.contentType,
        CacheControl: "private, max-age=31536000, immutable",
      }),
    );
    return hash;
  }

  async get(hash: string): Promise<Buffer> {
    const image = await this.#find(hash);
    if (!image) throw new Error(IMAGE_MESSAGES.missing(hash, this.#name));
    const chunks: Buffer[] = [];
    for await (const chunk of image.stream) chunks.push(chunk);
    return verifyImage(Buffer.concat(chunks), hash);
  }

  open(hash: string): Promise<OpenImage | null> {
    return this.#withTimeout(OPEN_TIMEOUT_MS, signal => this.#find(hash, signal));
  }

  /** Lists old images. Also deletes old files of builds that never ended. */
  async *olderThan(before: Date): AsyncGenerator<StoredImage[]> {
    let next: string | undefined;
    do {
      const page = await this.#client.send(
        new ListObjectsV2Command({
          Bucket: this.#bucket.bucket,
          Prefix: this.#root,
          ...(next !== undefined && { ContinuationToken: next }),
        }),
      );
      const old = (page.Contents ?? []).flatMap(({ Key = "", LastModified, Size = 0 }) => {
        const image = imageAt(Key.slice(this.#root.length), this.#kind);
        return image && LastModified && LastModified < before ? [{ ...image, bytes: Size }] : [];
      });
      await this.#deleteReceived(page.Contents ?? [], before);
      if (old.length > 0) yield old;
      next = page.NextContinuationToken;
    } while (next !== undefined);
  }

  async setAside(hashes: string[]): Promise<void> {
    await forEachBatch(hashes, REQUEST_CONCURRENCY, hash =>
      this.#move(imagePath(hash, this.#kind), asidePath(hash, this.#kind)),
    );
  }

  async putBack(hashes: string[]): Promise<void> {
    await forEachBatch(hashes, REQUEST_CONCURRENCY, hash =>
      this.#move(asidePath(hash, this.#kind), imagePath(hash, this.#kind)),
    );
  }

  async remove(hashes: string[]): Promise<void> {
    // One by one, because not every S3-compatible store deletes several in one request.
    await forEachBatch(hashes, REQUEST_CONCURRENCY, hash => this.#delete(asidePath(hash, this.#kind)));
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }

  /** Deletes old files that a client sent for a build which never ended. */
  async #deleteReceived(objects: { Key?: string; LastModified?: Date }[], before: Date): Promise<void> {
    const paths = objects.flatMap(({ Key = "", LastModified }) => {
      const path = Key.slice(this.#root.length);
      return isReceived(path) && LastModified && LastModified < before ? [path] : [];
    });
    await forEachBatch(paths, REQUEST_CONCURRENCY, path => this.#delete(path));
  }

  get #name(): string {
    const { bucket, endpoint, region } = this.#bucket;
    return IMAGE_MESSAGES.bucket(bucket, endpoint, region);
  }

  async #check(): Promise<void> {
    const list = new ListObjectsV2Command({
      Bucket: this.#bucket.bucket,
      Prefix: this.#root,
      MaxKeys: 1,
    });
    await this.#withTimeout(CHECK_TIMEOUT_MS, abortSignal => this.#client.send(list, { abortSignal }));
  }

  /** Bounds the time until the store's response starts. The body may take longer. */
  async #withTimeout<T>(ms: number, request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const deadline = new AbortController();
    const late = setTimeout(() => deadline.abort(), ms);
    try {
      return await request(deadline.signal);
    } catch (error) {
      if (!deadline.signal.aborted) throw error;
      throw new Error(IMAGE_MESSAGES.timeout(this.#name, ms), { cause: error });
    } finally {
      clearTimeout(late);
    }
  }

  async #isYoung(key: string): Promise<boolean> {
    const head = new HeadObjectCommand({ Bucket: this.#bucket.bucket, Key: key });
    const found = await this.#client.send(head).catch(ifMissing);
    return found?.LastModified !== undefined && Date.now() - found.LastModified.getTime() < YOUNG_MS;
  }

  /**
   * Opens an image from either place. The first one is tried twice, because the image may be restored in
   * between.
   */
  async #find(hash: string, abortSignal?: AbortSignal): Promise<OpenImage | null> {
    for (const path of [
      imagePath(hash, this.#kind),
      asidePath(hash, this.#kind),
      imagePath(hash, this.#kind),
    ]) {
      const get = new GetObjectCommand({ Bucket: this.#bucket.bucket, Key: this.#root + path });
      const found = await this.#client.send(get, { ...(abortSignal && { abortSignal }) }).catch(ifMissing);
      if (!found) continue;
      if (!(found.Body instanceof Readable) || found.ContentLength === undefined)
        throw new Error(IMAGE_MESSAGES.noLength(this.#name));
      return { stream: found.Body, bytes: found.ContentLength };
    }
    return null;
  }

  async #move(from: string, to: string): Promise<void> {
    const copy = new CopyObjectCommand({
      Bucket: this.#bucket.bucket,
      CopySource: `${this.#bucket.bucket}/${this.#root + from}`.split("/").map(encodeURIComponent).join("/"),
      Key: this.#root + to,
    });
    if (await this.#client.send(copy).catch(ifMissing)) await this.#delete(from);
  }

  async #delete(path: string): Promise<void> {
    const key = this.#root + path;
    await this.#client
      .send(new DeleteObjectCommand({ Bucket: this.#bucket.bucket, Key: key }))
      .catch(ifMissing);
  }
}

/** Returns null for a missing object. A missing bucket is a failure. */
function ifMissing(error: unknown): null {
  const isMissing = error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;
  if (isMissing && error.name !== "NoSuchBucket") return null;
  throw error;
}

/** Returns whether the store rejects this node permanently, or requests can't be signed. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === "CredentialsProviderError") return true;
  const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 0) : 0;
  return status >= 300 && status < 500 && status !== 408 && status !== 429;
}
