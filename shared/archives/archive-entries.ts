import { ARCHIVE_BOUNDS } from "../contracts/builds/archives.ts";
import { entryPath } from "./entry-path.rule.ts";
import { InvalidArchiveError, invalidEntry } from "./invalid-archive.ts";
import { ARCHIVE_ERRORS } from "./texts.ts";

/** Limits that depend on the installation and on the archive. */
export interface UnpackLimits {
  /** Of all files together. */
  unpackedBytes: number;
  /** Of the archive itself. */
  archiveBytes: number;
}

/** The names and sizes of an archive's entries so far. It refuses the first one that breaks a rule. */
export class ArchiveEntries {
  readonly #limits: UnpackLimits;
  /** Spelling and kind of each path, by its form without case. */
  readonly #seen = new Map<string, { path: string; isFolder: boolean }>();
  /** Folders that have an entry of their own. */
  readonly #folders = new Set<string>();
  #entries = 0;
  #bytes = 0;

  constructor(limits: UnpackLimits) {
    this.#limits = limits;
  }

  /**
   * Adds a file or a folder.
   * @returns its path; "" for the root
   * @throws InvalidArchiveError
   */
  add(name: string, isFolder: boolean): string {
    if (++this.#entries > ARCHIVE_BOUNDS.entries)
      throw new InvalidArchiveError(ARCHIVE_ERRORS.many(ARCHIVE_BOUNDS.entries));
    const found = entryPath(name);
    if ("refused" in found) throw invalidEntry(name, found.refused);
    const { path } = found;
    if (path === "") {
      if (!isFolder) throw invalidEntry(name, ARCHIVE_ERRORS.emptyName);
      return path;
    }
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1))
      this.#see(path.slice(0, at), true);
    if (isFolder) {
      if (this.#folders.has(path)) throw invalidEntry(path, ARCHIVE_ERRORS.duplicate);
      this.#folders.add(path);
    } else if (this.#seen.get(formOf(path))?.path === path && !this.#seen.get(formOf(path))?.isFolder) {
      throw invalidEntry(path, ARCHIVE_ERRORS.duplicate);
    }
    this.#see(path, isFolder);
    return path;
  }

  /** Counts unpacked bytes before they are kept. @throws InvalidArchiveError */
  count(path: string, bytes: number, fileBytes: number): void {
    const { unpackedBytes, archiveBytes } = this.#limits;
    this.#bytes += bytes;
    if (fileBytes > ARCHIVE_BOUNDS.fileBytes)
      throw invalidEntry(path, ARCHIVE_ERRORS.largeFile(ARCHIVE_BOUNDS.fileBytes / 1024 / 1024));
    if (this.#bytes > unpackedBytes)
      throw new InvalidArchiveError(ARCHIVE_ERRORS.large(Math.floor(unpackedBytes / 1024 / 1024)));
    const { ratio, ratioFromBytes } = ARCHIVE_BOUNDS;
    if (this.#bytes > ratioFromBytes && this.#bytes > ratio * archiveBytes)
      throw new InvalidArchiveError(ARCHIVE_ERRORS.ratio(ratio));
  }

  #see(path: string, isFolder: boolean): void {
    const form = formOf(path);
    const before = this.#seen.get(form);
    if (before && before.path !== path) throw invalidEntry(path, ARCHIVE_ERRORS.collision(before.path));
    if (before && before.isFolder !== isFolder) throw invalidEntry(path, ARCHIVE_ERRORS.fileAndFolder);
    if (!before) this.#seen.set(form, { path, isFolder });
  }
}

/** Returns the same text for names that some file systems don't tell apart. */
function formOf(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
