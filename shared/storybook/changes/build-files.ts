import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { forEachBatch } from "../../async.ts";
import { canonicalScript } from "./canonical-script.ts";

/**
 * Content hashes in the file names of bundlers: `button-BQynf7SN.css` of Vite, `main.bc4b58c1.js` of webpack. A hash of
 * Vite almost always has a digit or an upper-case letter. Words of eight letters, as in `icon-settings.svg`, have none.
 */
const IN_NAME =
  /-(?<vite>(?=[\w-]{0,7}[A-Z\d])[\w-]{8})(?=\.\w+(?:\.map)?$)|\.(?<webpack>[0-9a-f]{8,32})(?=\.)/;
/** The same in the content of files. webpack lists the hashes of its chunks without their names. */
const IN_TEXT = /(?<=[-.])[\w-]{8}(?=\.\w)|(?<![\w-])[0-9a-f]{8,32}(?![\w-])/g;
const TEXT_FILES = /\.(?:html?|m?js|css|json|svg|map|txt)$/i;
const SCRIPTS = /\.m?js$/i;
const REPLACEMENT = "#";
/** Begins the hash of a script with the short names that its bundler chose. */
const EXACT = "=";
/** Below the limits of open files. */
const READ_CONCURRENCY = 32;
/** Characters of a content hash in a name. */
const ID_LENGTH = 8;

/**
 * The files of a static build. Hashes in their names change whenever another file does. So names and content are
 * compared without them.
 */
export class BuildFiles {
  readonly #read: (path: string) => Promise<Buffer | null>;
  /** Paths by their names without hashes. */
  readonly #paths: ReadonlyMap<string, string>;
  readonly #names: ReadonlyMap<string, string>;
  /** What replaces each hash of a name. */
  readonly #tokens: ReadonlyMap<string, string>;
  readonly #hashes = new Map<string, Promise<string | null>>();
  readonly #exact = new Map<string, Promise<string | null>>();
  /** Hashes of files by the hashes of their texts with short names. */
  readonly #known = new Map<string, string>();

  private constructor(read: (path: string) => Promise<Buffer | null>, { names, tokens }: StableNames) {
    this.#read = read;
    this.#names = names;
    this.#tokens = tokens;
    this.#paths = new Map([...names].map(([path, name]) => [name, path]));
  }

  /** Opens the build in a folder. */
  static async open(folder: string): Promise<BuildFiles> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter(entry => entry.isFile())
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join("/"));
    return await BuildFiles.of(paths, path => readFile(join(folder, path)).catch(() => null));
  }

  /**
   * Opens a build that isn't in a folder.
   * @param paths with slashes
   * @param read returns a file's content; null if there is no such file
   */
  static async of(
    paths: readonly string[],
    read: (path: string) => Promise<Buffer | null>,
  ): Promise<BuildFiles> {
    return new BuildFiles(read, await withContent(read, stableNames(paths)));
  }

  /** Adds hashes that `exactHashes` returned for an earlier build. Equal texts then need no parser, which is slow. */
  addKnown(known: Iterable<readonly [string, string]>): void {
    for (const [exact, hash] of known) this.#known.set(exact, hash);
  }

  /** Returns hashes by the hashes of the exact texts. */
  get exactHashes(): ReadonlyMap<string, string> {
    return this.#known;
  }

  /** Returns the name without a hash of a file in the build; null if there is no such file. @param path with slashes */
  nameOf(path: string): string | null {
    return this.#names.get(path) ?? null;
  }

  /** Returns the SHA-256 (hex) of a file's content without hashes of names; null if there is no such file. */
  async hashOf(name: string): Promise<string | null> {
    const known = this.#hashes.get(name) ?? this.#hash(name);
    this.#hashes.set(name, known);
    return await known;
  }

  /**
   * Returns a hash like `hashOf`, for which a script needs no parser. For a script, it starts with `=`, and short names
   * count.
   */
  async exactHashOf(name: string): Promise<string | null> {
    if (!SCRIPTS.test(name)) return await this.hashOf(name);
    const exact = await this.#exactOf(name);
    return exact === null ? null : `${EXACT}${exact}`;
  }

  /** Returns whether a file has a hash that `hashOf` or `exactHashOf` returned for another build. */
  async hasHash(name: string, hash: string): Promise<boolean> {
    return hash === (hash.startsWith(EXACT) ? await this.exactHashOf(name) : await this.hashOf(name));
  }

  async #hash(name: string): Promise<string | null> {
    const exact = await this.#exactOf(name);
    if (exact === null || !SCRIPTS.test(name)) return exact;
    const known = this.#known.get(exact);
    if (known !== undefined) return known;
    const content = await this.#contentOf(name);
    const hash = content === null ? null : sha256(canonicalScript(content.toString()));
    if (hash !== null) this.#known.set(exact, hash);
    return hash;
  }

  async #exactOf(name: string): Promise<string | null> {
    const known = this.#exact.get(name) ?? this.#contentOf(name).then(content => content && sha256(content));
    this.#exact.set(name, known);
    return await known;
  }

  /** Returns the content of a file. That of a text file has no hashes of names. */
  async #contentOf(name: string): Promise<string | Buffer | null> {
    const path = this.#paths.get(name);
    const content = path === undefined ? null : await this.#read(path);
    return content && TEXT_FILES.test(name) ? withoutTokens(content.toString("utf8"), this.#tokens) : content;
  }
}

/** Names of files without hashes, by their paths, and what replaces each hash. */
interface StableNames {
  names: Map<string, string>;
  tokens: Map<string, string>;
}

/**
 * Returns the names of paths without hashes. Two files whose names would be equal keep theirs, such as
 * `icon-document.svg` and `icon-settings.svg`: a file that refers to the other one must not look unchanged.
 */
export function stableNames(
  paths: readonly string[],
): StableNames & { equal: { path: string; token: string }[] } {
  const found = paths.map(path => {
    const match = IN_NAME.exec(path.slice(path.lastIndexOf("/") + 1));
    const token = match?.groups?.vite ?? match?.groups?.webpack ?? "";
    return { path, token, name: token === "" ? path : replaceLast(path, token, REPLACEMENT) };
  });
  const count = Map.groupBy(found, ({ name }) => name);
  const names = new Map<string, string>();
  const tokens = new Map<string, string>();
  const equal: { path: string; token: string }[] = [];
  for (const { path, token, name } of found) {
    const isUnique = count.get(name)?.length === 1;
    names.set(path, isUnique ? name : path);
    if (token === "") continue;
    if (isUnique) tokens.set(token, REPLACEMENT);
    else equal.push({ path, token });
  }
  return { names, tokens, equal };
}

/** Names files by their content if their names without hashes are equal, such as several `index-#.js` of a bundler. */
async function withContent(
  read: (path: string) => Promise<Buffer | null>,
  { names, tokens, equal }: ReturnType<typeof stableNames>,
): Promise<StableNames> {
  const all = new Map(
    [...tokens.keys(), ...equal.map(({ token }) => token)].map(token => [token, REPLACEMENT]),
  );
  const named: { path: string; token: string; id: string }[] = [];
  await forEachBatch(equal, READ_CONCURRENCY, async ({ path, token }) => {
    const content = (await read(path)) ?? Buffer.from("");
    const text = TEXT_FILES.test(path) ? withoutTokens(content.toString("utf8"), all) : content;
    const id = sha256(SCRIPTS.test(path) && typeof text === "string" ? canonicalScript(text) : text);
    named.push({ path, token, id: id.slice(0, ID_LENGTH) });
  });
  const count = Map.groupBy(named, ({ path, token, id }) => replaceLast(path, token, id));
  for (const [name, files] of count) {
    const [file] = files;
    // Files with equal content may refer to other files.
    if (file === undefined || files.length > 1) continue;
    names.set(file.path, name);
    tokens.set(file.token, file.id);
  }
  return { names, tokens };
}

function withoutTokens(text: string, tokens: ReadonlyMap<string, string>): string {
  return text.replaceAll(IN_TEXT, token => tokens.get(token) ?? token);
}

function replaceLast(text: string, part: string, by: string): string {
  const at = text.lastIndexOf(part);
  return text.slice(0, at) + by + text.slice(at + part.length);
}

function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
