import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import Bottleneck from "bottleneck";
import { UnreadableImageError } from "../../../../shared/compare/png-file.ts";
import { type ReadUpload, readUpload } from "../../../../shared/compare/read-upload.ts";
import { attachmentKindOf } from "../../../../shared/contracts/builds/attachment-kind.ts";
import { ATTACHMENT_BOUNDS, type AttachmentKind } from "../../../../shared/contracts/builds/attachments.ts";
import { UPLOAD_BOUNDS } from "../../../../shared/contracts/builds/uploaded-screenshot.ts";
import { invalidField, ServiceError } from "../../../../shared/errors.ts";
import { LIMIT_ERRORS, UPLOAD_ERRORS } from "../../texts.ts";

/** Each decodes an image. More would take the processor from rendering and comparing. */
const CONCURRENCY = 2;
/**
 * Bytes of all images, and of all attachments, that are being received or wait to be decoded or stored. Attachments have
 * long to arrive, so slow ones must not take the room of images.
 */
const MAX_HELD_BYTES = 128 * 1024 * 1024;

/** Bytes in memory. */
interface Held {
  bytes: number;
}

/** Limits of a body. */
interface Body {
  maxBytes: number;
  tooLarge: () => ServiceError;
}

const IMAGE = limitedTo(UPLOAD_BOUNDS.imageBytes, UPLOAD_ERRORS.tooLarge);
const ATTACHMENT = limitedTo(ATTACHMENT_BOUNDS.fileBytes, UPLOAD_ERRORS.attachmentTooLarge);

function limitedTo(maxBytes: number, message: (most: number) => string): Body {
  return { maxBytes, tooLarge: () => new ServiceError("payload_too_large", message(maxBytes)) };
}

/** Reads the bodies of uploaded images and attachments, with bounded memory. */
export class Uploads {
  readonly #queue = new Bottleneck({ maxConcurrent: CONCURRENCY });
  readonly #maxHeldBytes: number;
  readonly #images: Held = { bytes: 0 };
  readonly #attachments: Held = { bytes: 0 };

  /** @param maxHeldBytes of images, and of attachments */
  constructor(maxHeldBytes: number = MAX_HELD_BYTES) {
    this.#maxHeldBytes = maxHeldBytes;
  }

  /**
   * Reads and decodes an image. Its type follows from its content, never from headers.
   * @param hash SHA-256 that the bytes must have
   * @throws ServiceError payload_too_large, invalid_request; unavailable if the gateway holds too many bytes
   */
  async read(req: IncomingMessage, hash: string): Promise<ReadUpload> {
    const held = { bytes: 0, of: this.#images };
    try {
      const bytes = await this.#receive(req, held, IMAGE);
      requireHash(bytes, hash);
      return await this.#queue.schedule(() => readUpload(bytes));
    } catch (error) {
      throw error instanceof UnreadableImageError
        ? invalidField("", UPLOAD_ERRORS.unreadable(error.message))
        : error;
    } finally {
      held.of.bytes -= held.bytes;
    }
  }

  /**
   * Reads an attachment. It is not decoded or unpacked, here or elsewhere.
   * @param use stores it. Its bytes count until then
   * @throws ServiceError like read
   */
  async readAttachment<T>(
    req: IncomingMessage,
    hash: string,
    use: (bytes: Buffer, kind: AttachmentKind) => Promise<T>,
  ): Promise<T> {
    const held = { bytes: 0, of: this.#attachments };
    try {
      const bytes = await this.#receive(req, held, ATTACHMENT);
      requireHash(bytes, hash);
      const kind = attachmentKindOf(bytes);
      if (kind === null) throw invalidField("", UPLOAD_ERRORS.unknownKind);
      return await use(bytes, kind);
    } finally {
      held.of.bytes -= held.bytes;
    }
  }

  async #receive(
    req: IncomingMessage,
    held: Held & { of: Held },
    { maxBytes, tooLarge }: Body,
  ): Promise<Buffer> {
    if (Number(req.headers["content-length"] ?? 0) > maxBytes) throw tooLarge();
    const chunks: Buffer[] = [];
    let received = 0;
    // A loop over the request itself would destroy it, and the response with it.
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      received += chunk.length;
      if (received > maxBytes) throw tooLarge();
      if (held.of.bytes + chunk.length > this.#maxHeldBytes)
        throw new ServiceError("unavailable", LIMIT_ERRORS.uploads, { retryAfterSeconds: 2 });
      held.of.bytes += chunk.length;
      held.bytes += chunk.length;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }
}

function requireHash(bytes: Buffer, hash: string): void {
  if (createHash("sha256").update(bytes).digest("hex") !== hash)
    throw invalidField("", UPLOAD_ERRORS.otherHash);
}
