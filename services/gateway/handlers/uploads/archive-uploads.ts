import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import Bottleneck from "bottleneck";
import { type ArchivedFile, writeIndex } from "../../../../shared/archives/archive-index.ts";
import { InvalidArchiveError } from "../../../../shared/archives/invalid-archive.ts";
import { unpackArchive } from "../../../../shared/archives/unpack-archive.ts";
import { forEachBatch } from "../../../../shared/async.ts";
import { UNPACKED_PER_UPLOADED } from "../../../../shared/contracts/builds/archives.ts";
import type { ImageStore } from "../../../../shared/contracts/image-store.ts";
import { invalidField, ServiceError } from "../../../../shared/errors.ts";
import { removeAbandoned } from "../../../../shared/remove-abandoned.ts";
import { ARCHIVE_UPLOAD_ERRORS, LIMIT_ERRORS } from "../../texts/errors.ts";

/** Archives that are received at the same time. Each needs disk space. */
const MAX_RECEIVED = 4;
/** Of one team, so that its slow uploads don't keep those of the others out. */
const MAX_OF_TEAM = 3;
/** A sender that sends nothing for this long has stalled. */
const STALLED_MS = 30_000;
/** Each uses the processor and the disk. */
const UNPACK_CONCURRENCY = 2;
/** Files of an archive that are read and stored at the same time, each of at most 64 MiB. */
const STORE_CONCURRENCY = 4;

/** How the names of the temporary folders begin. */
const PREFIX = "vrs-archive-";
/** An upload takes minutes, so an older folder is that of a killed process. */
const ABANDONED_MS = 24 * 3_600_000;

/** A valid archive whose files are in a temporary folder. */
export interface ReceivedArchive {
  id: string;
  /** Stores its files, then its index. */
  store(files: ImageStore): Promise<void>;
}

/** Receives uploaded archives on disk, with bounds. */
export class ArchiveUploads {
  readonly #maxBytes: number;
  readonly #stalledMs: number;
  readonly #queue = new Bottleneck({ maxConcurrent: UNPACK_CONCURRENCY });
  /** The team of each archive that is being received. */
  readonly #received: string[] = [];

  /** @param maxBytes most bytes of an archive */
  constructor(maxBytes: number, stalledMs = STALLED_MS) {
    this.#maxBytes = maxBytes;
    this.#stalledMs = stalledMs;
  }

  /**
   * Receives and unpacks an archive. Its files exist only during `use`.
   * @throws ServiceError payload_too_large, invalid_request; unavailable while too many others are received
   */
  async receive<T>(
    req: IncomingMessage,
    teamId: string,
    use: (archive: ReceivedArchive) => Promise<T>,
  ): Promise<T> {
    const ofTeam = this.#received.filter(team => team === teamId).length;
    if (ofTeam >= MAX_OF_TEAM)
      throw new ServiceError("unavailable", LIMIT_ERRORS.teamUploads, { retryAfterSeconds: 10 });
    if (this.#received.length >= MAX_RECEIVED)
      throw new ServiceError("unavailable", LIMIT_ERRORS.archives, { retryAfterSeconds: 10 });
    this.#received.push(teamId);
    try {
      return await this.#receiveInFolder(req, use);
    } finally {
      this.#received.splice(this.#received.indexOf(teamId), 1);
    }
  }

  async #receiveInFolder<T>(req: IncomingMessage, use: (archive: ReceivedArchive) => Promise<T>): Promise<T> {
    await removeAbandoned(tmpdir(), { prefix: PREFIX, afterMs: ABANDONED_MS });
    const folder = await mkdtemp(join(tmpdir(), PREFIX));
    try {
      const packed = join(folder, "archive");
      await this.#spool(req, packed);
      const unpacked = join(folder, "files");
      await mkdir(unpacked, { mode: 0o700 });
      const limits = { unpackedBytes: this.#maxBytes * UNPACKED_PER_UPLOADED };
      const files = await this.#queue.schedule(() => unpackArchive(packed, unpacked, limits));
      return await use(archiveOf(files, unpacked));
    } catch (error) {
      throw error instanceof InvalidArchiveError ? invalidField("", error.message) : error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #spool(req: IncomingMessage, path: string): Promise<void> {
    const tooLarge = () =>
      new ServiceError(
        "payload_too_large",
        ARCHIVE_UPLOAD_ERRORS.tooLarge(Math.floor(this.#maxBytes / 1024 / 1024)),
      );
    const max = this.#maxBytes;
    if (Number(req.headers["content-length"] ?? 0) > max) throw tooLarge();
    let received = 0;
    const stalled = setTimeout(() => req.destroy(), this.#stalledMs).unref();
    // A loop over the request itself would destroy it, and the response with it.
    const chunks = req.iterator({ destroyOnReturn: false });
    await pipeline(
      async function* kept() {
        for await (const chunk of chunks) {
          stalled.refresh();
          received += chunk.length;
          if (received > max) throw tooLarge();
          yield chunk;
        }
      },
      createWriteStream(path, { mode: 0o600 }),
    ).finally(() => clearTimeout(stalled));
    if (!req.complete) throw invalidField("", ARCHIVE_UPLOAD_ERRORS.cutShort);
  }
}

function archiveOf(files: readonly ArchivedFile[], folder: string): ReceivedArchive {
  const { id, bytes } = writeIndex(files);
  return {
    id,
    async store(store) {
      const hashes = [...new Set(files.map(({ hash }) => hash))];
      await forEachBatch(hashes, STORE_CONCURRENCY, async hash => {
        await store.put(await readFile(join(folder, hash)));
      });
      await store.put(bytes);
    },
  };
}
