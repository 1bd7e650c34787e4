import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { canonicalScript } from "./canonical-script.ts";

/** Content hashes in the file names of bundlers: `button-BQynf7SN.css` of Vite, `main.bc4b58c1.js` of webpack. */
const IN_NAME = /-(?<vite>[\w-]{8})(?=\.\w+(?:\.map)?$)|\.(?<webpack>[0-9a-f]{8,32})(?=\.)/;
/** The same in the content of files. webpack lists the hashes of its chunks without their names. */
const IN_TEXT = /(?<=[-.])[\w-]{8}(?=\.\w)|(?<![\w-])[0-9a-f]{8,32}(?![\w-])/g;
const TEXT_FILES = /\.(?:html?|m?js|css|json|svg|map|txt)$/i;
const SCRIPTS = /\.m?js$/i;
const REPLACEMENT = "#";

/**
 * The files of a static build. Hashes in their names change whenever another file does. So names and content are
 * compared without them.
 */
export class BuildFiles {
  readonly #folder: string;
  /** Paths by their names without hashes. */
  readonly #paths: ReadonlyMap<string, string>;
  readonly #names: ReadonlyMap<string, string>;
  readonly #tokens: ReadonlySet<string>;
  readonly #hashes = new Map<string, Promise<string | null>>();

  private constructor(folder: string, paths: readonly string[]) {
    this.#folder = folder;
    const { names, tokens } = stableNames(paths);
    this.#names = names;
    this.#tokens = tokens;
    this.#paths = new Map([...names].map(([path, name]) => [name, path]));
  }

  static async open(folder: string): Promise<BuildFiles> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter(entry => entry.isFile())
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join("/"));
    return new BuildFiles(folder, paths);
  }

  /** Returns the name without a hash of a file in the build; null if there is no such file. @param path with slashes */
  nameOf(path: string): string | null {
    return this.#names.get(path) ?? null;
  }

  /** Returns the SHA-256 (hex) of a file's content without hashes of names; null if there is no such file. */
  async hashOf(name: string): Promise<string | null> {
    const known = this.#hashes.get(name) ?? this.#read(name);
    this.#hashes.set(name, known);
    return await known;
  }

  async #read(name: string): Promise<string | null> {
    const path = this.#paths.get(name);
    const content = path === undefined ? null : await readFile(join(this.#folder, path)).catch(() => null);
    if (content === null) return null;
    return createHash("sha256")
      .update(
        TEXT_FILES.test(name) ? this.#withoutHashes(comparable(name, content.toString("utf8"))) : content,
      )
      .digest("hex");
  }

  #withoutHashes(text: string): string {
    return text.replaceAll(IN_TEXT, token => (this.#tokens.has(token) ? REPLACEMENT : token));
  }
}

function comparable(name: string, text: string): string {
  return SCRIPTS.test(name) ? canonicalScript(text) : text;
}

/**
 * Returns the names of paths without hashes, and the hashes. Two files whose names would be equal keep theirs, such as
 * `icon-document.svg` and `icon-settings.svg`: a file that refers to the other one must not look unchanged.
 */
export function stableNames(paths: readonly string[]): {
  names: Map<string, string>;
  tokens: Set<string>;
} {
  const found = paths.map(path => {
    const match = IN_NAME.exec(path.slice(path.lastIndexOf("/") + 1));
    const token = match?.groups?.vite ?? match?.groups?.webpack ?? "";
    return { path, token, name: token === "" ? path : path.replace(token, REPLACEMENT) };
  });
  const count = Map.groupBy(found, ({ name }) => name);
  const names = new Map<string, string>();
  const tokens = new Set<string>();
  for (const { path, token, name } of found) {
    const isUnique = count.get(name)?.length === 1;
    names.set(path, isUnique ? name : path);
    if (isUnique && token !== "") tokens.add(token);
  }
  return { names, tokens };
}
