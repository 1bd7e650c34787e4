import { Readable } from "node:stream";
import { DeleteObjectCommand, GetObjectCommand, type S3Client, S3ServiceException } from "@aws-sdk/client-s3";
import type { DirectUploads, SignedUpload } from "../../shared/contracts/image-store.ts";
import type { ImageStoreConfig } from "../../shared/environment/variable-kinds.ts";
import { IMAGE_MESSAGES } from "../texts.ts";

type Bucket = Extract<ImageStoreConfig, { kind: "s3" }>;

/** Longer than a slow connection needs for all images of a response. */
const VALID_SECONDS = 3_600;
/** Folder of received files, apart from the images. */
const FOLDER = "uploads/";

/** Returns whether a key below the store's root is of a received file, which is no image yet. */
export function isReceived(path: string): boolean {
  return path.startsWith(FOLDER);
}

/** Files that clients send to the bucket with signed URLs. Nothing about them is verified. */
export class S3Uploads implements DirectUploads {
  readonly #client: S3Client;
  readonly #bucket: Bucket;
  readonly #root: string;

  /** @param root prefix of every key */
  constructor(client: S3Client, bucket: Bucket, root: string) {
    this.#client = client;
    this.#bucket = bucket;
    this.#root = root;
  }

  async sign(name: string): Promise<SignedUpload> {
    const { bucket, endpoint, region } = this.#bucket;
    const base = new URL(endpoint ?? `https://${bucket}.s3.${region}.amazonaws.com`);
    const key = `${this.#root}${FOLDER}${name}`;
    base.pathname = endpoint === null ? key : `${base.pathname}/${bucket}/${key}`.replace(/\/{2,}/g, "/");
    const signer = await this.#client.config.signer();
    if (!("presign" in signer) || typeof signer.presign !== "function")
      throw new Error(IMAGE_MESSAGES.noSigning);
    const request = {
      method: "PUT",
      protocol: base.protocol,
      hostname: base.hostname,
      ...(base.port !== "" && { port: Number(base.port) }),
      path: base.pathname,
      query: {},
      // S3 doesn't hash the body of a signed URL, but signs this text in its place.
      headers: { host: base.host, "x-amz-content-sha256": "UNSIGNED-PAYLOAD" },
    };
    const options = { expiresIn: VALID_SECONDS, signingRegion: region, signingService: "s3" };
    const signed: { query: Record<string, string> } = await signer.presign(request, options);
    base.search = new URLSearchParams(signed.query).toString();
    return { url: base.href, headers: {} };
  }

  async read(name: string, maxBytes: number): Promise<Buffer | "missing" | "too large"> {
    const get = new GetObjectCommand({ Bucket: this.#bucket.bucket, Key: `${this.#root}${FOLDER}${name}` });
    const found = await this.#client.send(get).catch(ifMissing);
    if (!found) return "missing";
    if (!(found.Body instanceof Readable) || found.ContentLength === undefined)
      throw new Error(IMAGE_MESSAGES.noLength(this.#bucket.bucket));
    if (found.ContentLength > maxBytes) {
      found.Body.destroy();
      return "too large";
    }
    const chunks: Buffer[] = [];
    for await (const chunk of found.Body) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  async remove(name: string): Promise<void> {
    const Key = `${this.#root}${FOLDER}${name}`;
    await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket.bucket, Key })).catch(ifMissing);
  }
}

function ifMissing(error: unknown): null {
  if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return null;
  throw error;
}
