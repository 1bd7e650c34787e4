import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import Bottleneck from "bottleneck";
import { UnreadableImageError } from "../../../shared/compare/png-file.ts";
import { type ReadUpload, readUpload } from "../../../shared/compare/read-upload.ts";
import { UPLOAD_BOUNDS } from "../../../shared/contracts/builds/uploaded-screenshot.ts";
import { invalidField, ServiceError } from "../../../shared/errors.ts";
import { LIMIT_ERRORS, UPLOAD_ERRORS } from "../texts.ts";

/** Each decodes an image. More would take the processor from rendering and comparing. */
const CONCURRENCY = 2;
/** Bytes of all images that are being received or wait to be decoded. */
const MAX_HELD_BYTES = 256 * 1024 * 1024;
/** This much of a body that is too large is read and dropped. See readRawBody. */
const MAX_DROPPED_BYTES = 2 * UPLOAD_BOUNDS.imageBytes;

/** Reads the bodies of uploaded images, with bounded memory. */
export class Uploads {
  readonly #queue = new Bottleneck({ maxConcurrent: CONCURRENCY });
  readonly #maxHeldBytes: number;
  #heldBytes = 0;

  constructor(maxHeldBytes: number = MAX_HELD_BYTES) {
    this.#maxHeldBytes = maxHeldBytes;
  }

  /**
   * Reads and decodes an image. Its type follows from its content, never from headers.
   * @param hash SHA-256 that the bytes must have
   * @throws ServiceError payload_too_large, invalid_request; unavailable if the gateway holds too many bytes
   */
  async read(req: IncomingMessage, hash: string): Promise<ReadUpload> {
    const held = { bytes: 0 };
    try {
      const bytes = await this.#receive(req, held);
      if (createHash("sha256").update(bytes).digest("hex") !== hash)
        throw invalidField("", UPLOAD_ERRORS.otherHash);
      return await this.#queue.schedule(() => readUpload(bytes));
    } catch (error) {
      throw error instanceof UnreadableImageError
        ? invalidField("", UPLOAD_ERRORS.unreadable(error.message))
        : error;
    } finally {
      this.#heldBytes -= held.bytes;
    }
  }

  async #receive(req: IncomingMessage, held: { bytes: number }): Promise<Buffer> {
    const tooLarge = () =>
      new ServiceError("payload_too_large", UPLOAD_ERRORS.tooLarge(UPLOAD_BOUNDS.imageBytes));
    if (Number(req.headers["content-length"] ?? 0) > UPLOAD_BOUNDS.imageBytes) throw tooLarge();
    const chunks: Buffer[] = [];
    let received = 0;
    // A loop over the request itself would destroy it, and the response with it.
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      received += chunk.length;
      if (received > MAX_DROPPED_BYTES) break;
      if (received > UPLOAD_BOUNDS.imageBytes) continue;
      if (this.#heldBytes + chunk.length > this.#maxHeldBytes)
        throw new ServiceError("unavailable", LIMIT_ERRORS.uploads, { retryAfterSeconds: 2 });
      this.#heldBytes += chunk.length;
      held.bytes += chunk.length;
      chunks.push(chunk);
    }
    if (received > UPLOAD_BOUNDS.imageBytes) throw tooLarge();
    return Buffer.concat(chunks);
  }
}
