import { LRUCache } from "lru-cache";
import { type ArchivedFile, readIndex } from "../../shared/archives/archive-index.ts";
import { ArchiveSite } from "../../shared/capture/archive/archive-site.ts";
import type { ImageStore } from "../../shared/contracts/image-store.ts";
import type { CaptureJob } from "../../shared/contracts/runs/jobs.ts";
import { FileCache } from "./file-cache.ts";

/** Files of the indexes that are kept. Each takes about 300 bytes. */
const MAX_INDEXED_FILES = 100_000;

/** The archives of the runs that this node renders. */
export class ArchiveSites {
  /** Files and indexes of archives by their SHA-256. */
  readonly files: Pick<ImageStore, "get">;
  readonly #cache: FileCache;
  readonly #indexes = new LRUCache<string, ArchivedFile[]>({
    maxSize: MAX_INDEXED_FILES,
    sizeCalculation: files => Math.max(1, files.length),
  });

  constructor(files: Pick<ImageStore, "get">, { folder, maxBytes }: { folder: string; maxBytes: number }) {
    this.files = files;
    this.#cache = new FileCache(folder, files, maxBytes);
  }

  /**
   * Returns the site of a job's archive; undefined for a job without one. Each visit has its own, because it notes what
   * the visit's page could not load.
   * @throws Error if the store doesn't respond, so that the job is retried
   */
  async of({
    archive: id,
    site,
    url,
    allowHosts = [],
  }: Pick<CaptureJob, "archive" | "site" | "url" | "allowHosts">): Promise<ArchiveSite | undefined> {
    if (id === undefined) return undefined;
    const files = this.#indexes.get(id) ?? readIndex(await this.files.get(id));
    this.#indexes.set(id, files);
    return new ArchiveSite({
      ...{ site: site ?? url, files, allowHosts },
      open: ({ hash }, range) => this.#cache.open(hash, range),
    });
  }
}
