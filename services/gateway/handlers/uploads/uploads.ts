import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import Bottleneck from "bottleneck";
import { UnreadableImageError } from "../../../../shared/compare/png-file.ts";
import { type ReadUpload, readUpload } from "../../../../shared/compare/read-upload.ts";
import { attachmentKindOf } from "../../../../shared/contracts/builds/attachment-kind.ts";
import { ATTACHMENT_BOUNDS, type AttachmentKind } from "../../../../shared/contracts/builds/attachments.ts";
import { UPLOAD_BOUNDS } from "../../../../shared/contracts/builds/uploaded-screenshot.ts";
import { invalidField, ServiceError } from "../../../../shared/errors.ts";
import { UPLOAD_ERRORS } from "../../texts/errors.ts";
import { type Held, HeldBytes } from "./held-bytes.ts";

/** Each decodes an image. More would take the processor from rendering and comparing. */
const CONCURRENCY = 2;
/** Limits of the bodies of one kind in memory. */
interface MemoryBounds {
  maxBytes: number;
  /** Of one team, so that its slow uploads don't keep those of the others out. */
  maxTeamBytes: number;
  /** A sender that sends nothing for this long has stalled. */
  stalledMs: number;
}

const MEMORY: MemoryBounds = {
  maxBytes: 128 * 1024 * 1024,
  // As much as the largest attachment.
  maxTeamBytes: ATTACHMENT_BOUNDS.fileBytes,
  stalledMs: 30_000,
};

/** An upload before it is received. */
interface Upload {
  /** SHA-256 of its bytes. */
  hash: string;
  /** The sender's team. */
  teamId: string;
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
  readonly #stalledMs: number;
  readonly #images: HeldBytes;
  /** Attachments are larger and take longer to arrive, so slow ones must not take the memory of images. */
  readonly #attachments: HeldBytes;

  /** @param bounds of images, and of attachments */
  constructor(bounds: Partial<MemoryBounds> = {}) {
    const { maxBytes, maxTeamBytes, stalledMs } = { ...MEMORY, ...bounds };
    this.#stalledMs = stalledMs;
    this.#images = new HeldBytes(maxBytes, { maxTeamBytes });
    this.#attachments = new HeldBytes(maxBytes, { maxTeamBytes });
  }

  /**
   * Reads and decodes an image. Its type follows from its content, never from headers.
   * @param upload.hash SHA-256 that the bytes must have
   * @throws ServiceError payload_too_large, invalid_request; unavailable if the gateway holds too many bytes
   */
  async read(req: IncomingMessage, { hash, teamId }: Upload): Promise<ReadUpload> {
    const held = { teamId, bytes: 0 };
    try {
      const bytes = await this.#receive(req, held, this.#images, IMAGE);
      requireHash(bytes, hash);
      return await this.#queue.schedule(() => readUpload(bytes));
    } catch (error) {
      throw error instanceof UnreadableImageError
        ? invalidField("", UPLOAD_ERRORS.unreadable(error.message))
        : error;
    } finally {
      this.#images.free(held);
    }
  }

  /**
   * Reads an attachment. It is not decoded or unpacked, here or elsewhere.
   * @param use stores it. Its bytes count until then
   * @throws ServiceError like read
   */
  async readAttachment<T>(
    req: IncomingMessage,
    { hash, teamId }: Upload,
    use: (bytes: Buffer, kind: AttachmentKind) => Promise<T>,
  ): Promise<T> {
    const held = { teamId, bytes: 0 };
    try {
      const bytes = await this.#receive(req, held, this.#attachments, ATTACHMENT);
      requireHash(bytes, hash);
      const kind = attachmentKindOf(bytes);
      if (kind === null) throw invalidField("", UPLOAD_ERRORS.unknownKind);
      return await use(bytes, kind);
    } finally {
      this.#attachments.free(held);
    }
  }

  async #receive(
    req: IncomingMessage,
    held: Held,
    memory: HeldBytes,
    { maxBytes, tooLarge }: Body,
  ): Promise<Buffer> {
    if (Number(req.headers["content-length"] ?? 0) > maxBytes) throw tooLarge();
    const chunks: Buffer[] = [];
    let received = 0;
    const stalled = setTimeout(() => req.destroy(), this.#stalledMs).unref();
    try {
      // A loop over the request itself would destroy it, and the response with it.
      for await (const chunk of req.iterator({ destroyOnReturn: false })) {
        stalled.refresh();
        received += chunk.length;
        if (received > maxBytes) throw tooLarge();
        memory.add(held, chunk.length);
        chunks.push(chunk);
      }
    } finally {
      clearTimeout(stalled);
    }
    return Buffer.concat(chunks);
  }
}

function requireHash(bytes: Buffer, hash: string): void {
  if (createHash("sha256").update(bytes).digest("hex") !== hash)
    throw invalidField("", UPLOAD_ERRORS.otherHash);
}
