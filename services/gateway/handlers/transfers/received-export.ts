import { createHash } from "node:crypto";
import type { Header } from "tar-stream";
import { openPng, requireComplete, UnreadableImageError } from "../../../../shared/compare/png-file.ts";
import { type Bus, call } from "../../../../shared/contracts/bus.ts";
import type { ReceivedUpload, TransferFile } from "../../../../shared/contracts/transfers/transfers.ts";
import { invalidField } from "../../../../shared/errors.ts";
import { parseJson } from "../../../../shared/json.ts";
import {
  EXPORT_BOUNDS,
  EXPORT_ENTRIES,
  type ExportPart,
  exportEnd,
  FILE_KINDS,
  type FileKind,
  FOLDER_OF,
} from "../../../../shared/transfers/export-manifest.ts";
import type { Gateway } from "../../gateway-context.ts";
import { IMPORT_ERRORS } from "../../texts/errors.ts";
import { imageStoreError } from "../open-image.ts";

/** Parts and files in one message. */
const BATCH_SIZE = 500;
const TAR_BLOCK = 512;

interface Receiver {
  gateway: Gateway;
  bus: Bus;
  /** Of the import. */
  id: string;
  /** As the manifest lists them. */
  parts: readonly ExportPart[];
  /** What was received before, with the manifest. Its size is null if it is unknown. */
  received: Omit<ReceivedUpload, "bytes"> & { bytes: number | null };
}

/** The entries of an export that were received so far. It refuses the first one that doesn't fit. */
export class ReceivedExport {
  readonly #receiver: Receiver;
  #parts: number;
  #files: number;
  /** Size of all entries. Null once it is unknown. */
  #bytes: number | null;
  #waiting: TransferFile[] = [];
  #hasEnd = false;

  constructor(receiver: Receiver) {
    this.#receiver = receiver;
    this.#parts = receiver.received.parts;
    this.#files = receiver.received.files;
    this.#bytes = receiver.received.bytes;
  }

  /** Stores an entry under the hash of its bytes. @throws ServiceError invalid_request, unavailable */
  async add(header: Header, bytes: Buffer): Promise<void> {
    const { name } = header;
    const shown = name.slice(0, 200);
    if (this.#hasEnd) throw invalidField("", IMPORT_ERRORS.entry(shown));
    if (name === EXPORT_ENTRIES.end) return this.#end(bytes);
    const size = entryBytes(header);
    const end = this.#bytes === null || size === null ? null : this.#bytes + size;
    if (name.startsWith(EXPORT_ENTRIES.rows)) return await this.#addPart(shown, bytes, end);
    const kind = FILE_KINDS.find(each => name.startsWith(FOLDER_OF[each]));
    if (!kind) throw invalidField("", IMPORT_ERRORS.entry(shown));
    await this.#addFile(kind, name, bytes, end);
  }

  /** Notes what was received, so that another upload continues there. */
  keep(): Promise<void> {
    return this.#flush();
  }

  /** Returns the import, once everything was received. @throws ServiceError invalid_request for an incomplete file */
  async finish(): Promise<{ id: string; files: number }> {
    const { id, parts } = this.#receiver;
    if (!this.#hasEnd || this.#parts !== parts.length) throw invalidField("", IMPORT_ERRORS.cutShort);
    await this.#flush();
    return { id, files: this.#files };
  }

  async #addPart(name: string, bytes: Buffer, end: number | null): Promise<void> {
    const { id, bus, parts } = this.#receiver;
    const part = parts[this.#parts];
    if (!part || bytes.length > EXPORT_BOUNDS.partBytes || hashOf(bytes) !== part.hash)
      throw invalidField("", IMPORT_ERRORS.otherPart(name));
    await this.#store("file", bytes);
    const from = this.#parts++;
    this.#bytes = end;
    await call(bus, "runs.addImportParts", { id, from, parts: [part], received: this.#received });
  }

  async #addFile(kind: FileKind, name: string, bytes: Buffer, end: number | null): Promise<void> {
    const hash = name.slice(FOLDER_OF[kind].length);
    if (hashOf(bytes) !== hash) throw invalidField("", IMPORT_ERRORS.otherHash(name.slice(0, 200)));
    if (kind === "image") requirePng(name, bytes);
    await this.#store(kind, bytes);
    this.#waiting.push({ hash, kind });
    this.#files++;
    this.#bytes = end;
    if (this.#waiting.length >= BATCH_SIZE) await this.#flush();
  }

  async #store(kind: FileKind, bytes: Buffer): Promise<void> {
    const { gateway } = this.#receiver;
    const store = kind === "file" ? gateway.archiveFiles : gateway.images;
    await store.put(bytes).catch(error => Promise.reject(imageStoreError(gateway, error)));
  }

  #end(bytes: Buffer): void {
    const { success, data } = exportEnd.safeParse(parseJson(bytes.toString()));
    if (!success || data.files !== this.#files) throw invalidField("", IMPORT_ERRORS.cutShort);
    this.#hasEnd = true;
  }

  async #flush(): Promise<void> {
    const { bus, id } = this.#receiver;
    if (this.#waiting.length === 0) return;
    await call(bus, "runs.addImportFiles", { id, files: this.#waiting, received: this.#received });
    this.#waiting = [];
  }

  get #received(): ReceivedUpload | null {
    const { manifest } = this.#receiver.received;
    if (this.#bytes === null) return null;
    return { manifest, bytes: this.#bytes, parts: this.#parts, files: this.#files };
  }
}

/** Returns the size of an entry with its header and padding. Null if it has more headers. */
export function entryBytes({ pax, size }: Header): number | null {
  return pax ? null : TAR_BLOCK + Math.ceil((size ?? 0) / TAR_BLOCK) * TAR_BLOCK;
}

/** @throws ServiceError invalid_request for a file that can't be compared or shown */
function requirePng(name: string, bytes: Buffer): void {
  try {
    requireComplete(openPng(bytes));
  } catch (error) {
    if (!(error instanceof UnreadableImageError)) throw error;
    throw invalidField("", IMPORT_ERRORS.image(name, error.message));
  }
}

function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
