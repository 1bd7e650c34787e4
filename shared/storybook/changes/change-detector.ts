/** Files that the pages of one or more stories loaded. */
export interface LoadedFiles {
  id: string;
  /** Hashes of files by name. */
  loaded: Record<string, string>;
}

/** The files of the build. */
interface Build {
  /** Returns whether the build has a file with this hash. */
  hasHash(name: string, hash: string): Promise<boolean>;
}

/** The source files behind stories. */
interface Sources {
  /** Returns a hash of all files that the stories of a file depend on; null if it can't be known. */
  hashOf(importPath: string): Promise<string | null>;
}

/** What a record says about the files behind a story. */
interface Recorded {
  files?: string | undefined;
  sources?: string | undefined;
}

/**
 * Names of scripts and styles that a bundler wrote: they have a hash. A file whose last word is only long, such as
 * `acme-stylesheet.css`, may be a static one, which no source tells about.
 */
const BUNDLED = /[-.](?:#|[0-9a-f]{8,32}|(?=[\w-]{0,7}[A-Z\d])[\w-]{8})\.(?:[\w.]+\.)?(?:m?js|css)$/;

/** Finds out whether the files behind stories have changed since they were recorded. */
export class ChangeDetector {
  readonly #build: Build;
  readonly #sources: Sources | null;
  readonly #sets: ReadonlyMap<string, LoadedFiles>;
  readonly #known = new Map<string, Promise<boolean>>();

  /** @param work.sources null without statistics of the bundler */
  constructor(work: {
    records: { files: readonly LoadedFiles[] };
    build: Build;
    sources: Sources | null;
  }) {
    this.#build = work.build;
    this.#sources = work.sources;
    this.#sets = new Map(work.records.files.map(set => [set.id, set]));
  }

  /**
   * Returns whether a file of stories depends on the same sources as before, or its page loads the same files of the
   * build.
   */
  async isUnchanged({ files, sources }: Recorded, importPath: string): Promise<boolean> {
    const set = files === undefined ? undefined : this.#sets.get(files);
    const key = JSON.stringify([files, sources, importPath]);
    const known = this.#known.get(key) ?? this.#compare(set, sources, importPath);
    this.#known.set(key, known);
    return await known;
  }

  async #compare(
    set: LoadedFiles | undefined,
    sources: string | undefined,
    importPath: string,
  ): Promise<boolean> {
    const hasSameSources =
      sources !== undefined && this.#sources !== null && (await this.#sources.hashOf(importPath)) === sources;
    if (set === undefined) return hasSameSources;
    if (hasSameSources && (await this.#areEqual(set, name => !BUNDLED.test(name)))) return true;
    return await this.#areEqual(set, () => true);
  }

  /** Compares loaded files with those of the build. */
  async #areEqual({ loaded }: LoadedFiles, isCompared: (name: string) => boolean): Promise<boolean> {
    for (const [name, hash] of Object.entries(loaded))
      if (isCompared(name) && !(await this.#build.hasHash(name, hash))) return false;
    return true;
  }
}
