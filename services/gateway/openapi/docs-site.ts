import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const DIST = fileURLToPath(new URL("../../../docs/.vitepress/dist/", import.meta.url));
/** What the site was built for, see docs/.vitepress/config.ts. */
const BASE = "/docs/";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
  ".png": "image/png",
};
const TEXTS = new Set([".html", ".js", ".css", ".svg"]);

/** A file of the site, as it is answered. */
export interface DocsFile {
  type: string;
  content: Buffer;
  /** Null for what is compressed already. */
  gzipped: Buffer | null;
  /** Whether its name changes with its content. */
  isImmutable: boolean;
  /** Of a page: it runs the site's own scripts, those within the page by their hashes. */
  policy: string | null;
}

/** The built docs, held in memory as they were when first asked for: pages and their scripts are of one build. */
export class DocsSite {
  readonly #contents: Map<string, Buffer>;
  readonly #base: string;
  readonly #files = new Map<string, DocsFile>();

  private constructor(contents: Map<string, Buffer>, base: string) {
    this.#contents = contents;
    this.#base = base;
  }

  /** Reads the site from its folder. @param sitePath where the service is at its host, `/` or `/vrs` @returns null if it is not built */
  static read(sitePath: string, folder = DIST): DocsSite | null {
    try {
      const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
      const files = entries
        .filter(entry => entry.isFile() && TYPES[extname(entry.name)] !== undefined)
        .map(entry => join(entry.parentPath, entry.name));
      const contents = new Map(
        files.map(file => [file.slice(folder.length).replaceAll("\\", "/"), readFileSync(file)]),
      );
      return contents.has("index.html") ? new DocsSite(contents, sitePath.replace(/\/$/, "") + BASE) : null;
    } catch {
      return null;
    }
  }

  /** Returns the file at a path under `/docs/`: `""` is the first page, `guides/review-changes` a page by its clean name. */
  file(path: string): DocsFile | null {
    const name = [path === "" ? "index.html" : path, `${path}.html`].find(each => this.#contents.has(each));
    return name === undefined ? null : this.#known(name);
  }

  /** The page that says that there is no such page. */
  get notFound(): DocsFile | null {
    return this.file("404.html");
  }

  #known(name: string): DocsFile {
    const known = this.#files.get(name);
    if (known) return known;
    const kind = extname(name);
    const raw = this.#contents.get(name) ?? Buffer.alloc(0);
    const isText = TEXTS.has(kind);
    const content = isText && this.#base !== BASE ? Buffer.from(rebased(raw.toString(), this.#base)) : raw;
    const file: DocsFile = {
      type: TYPES[kind] ?? "application/octet-stream",
      content,
      gzipped: isText ? gzipSync(content) : null,
      isImmutable: name.startsWith("assets/"),
      policy: kind === ".html" ? policyOf(content.toString()) : null,
    };
    this.#files.set(name, file);
    return file;
  }
}

/** Moves the links of a file to where the service is at its host. */
function rebased(text: string, base: string): string {
  return text.replace(/(["'`(=])\/docs\//g, (_, before: string) => before + base);
}

/** Nothing of a page is allowed that is not the site's own file, or a script within the page. */
function policyOf(html: string): string {
  const scripts = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${[...new Set(scripts)].join(" ")}`.trimEnd(),
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
