import { createHash } from "node:crypto";
import { openPng, requireComplete, UnreadableImageError } from "../../../../shared/compare/png-file.ts";
import { type Bus, call } from "../../../../shared/contracts/bus.ts";
import type { TransferFile } from "../../../../shared/contracts/transfers/transfers.ts";
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

interface Receiver {
  gateway: Gateway;
  bus: Bus;
  /** Of the import. */
  id: string;
  /** As the manifest lists them. */
  parts: readonly ExportPart[];
}

/** The entries of an export that were received so far. It refuses the first one that doesn't fit. */
export class ReceivedExport {
  readonly #receiver: Receiver;
  #parts = 0;
  #files = 0;
  #waiting: TransferFile[] = [];
  #hasEnd = false;

  constructor(receiver: Receiver) {
    this.#receiver = receiver;
  }

  /** Stores an entry under the hash of its bytes. @throws ServiceError invalid_request, unavailable */
  async add(name: string, bytes: Buffer): Promise<void> {
    const shown = name.slice(0, 200);
    if (this.#hasEnd) throw invalidField("", IMPORT_ERRORS.entry(shown));
    if (name === EXPORT_ENTRIES.end) return this.#end(bytes);
    if (name.startsWith(EXPORT_ENTRIES.rows)) return await this.#addPart(shown, bytes);
    const kind = FILE_KINDS.find(each => name.startsWith(FOLDER_OF[each]));
    if (!kind) throw invalidField("", IMPORT_ERRORS.entry(shown));
    await this.#addFile(kind, name, bytes);
  }

  /** Returns the import, once everything was received. @throws ServiceError invalid_request for an incomplete file */
  async finish(): Promise<{ id: string; files: number }> {
    const { id, parts } = this.#receiver;
    if (!this.#hasEnd || this.#parts !== parts.length) throw invalidField("", IMPORT_ERRORS.cutShort);
    await this.#flush();
    return { id, files: this.#files };
  }

  async #addPart(name: string, bytes: Buffer): Promise<void> {
    const { id, bus, parts } = this.#receiver;
    const part = parts[this.#parts];
    if (!part || bytes.length > EXPORT_BOUNDS.partBytes || hashOf(bytes) !== part.hash)
      throw invalidField("", IMPORT_ERRORS.otherPart(name));
    await this.#store("file", bytes);
    await call(bus, "runs.addImportParts", { id, from: this.#parts, parts: [part] });
    this.#parts++;
  }

  async #addFile(kind: FileKind, name: string, bytes: Buffer): Promise<void> {
    const hash = name.slice(FOLDER_OF[kind].length);
    if (hashOf(bytes) !== hash) throw invalidField("", IMPORT_ERRORS.otherHash(name.slice(0, 200)));
    if (kind === "image") requirePng(name, bytes);
    await this.#store(kind, bytes);
    this.#waiting.push({ hash, kind });
    this.#files++;
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
    await call(bus, "runs.addImportFiles", { id, files: this.#waiting });
    this.#waiting = [];
  }
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
