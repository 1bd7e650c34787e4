import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const DIST = fileURLToPath(new URL("../../../docs/.vitepress/dist/", import.meta.url));
/** The path that the site was built for. See docs/.vitepress/config.ts. */
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

/** A file of the docs site with its headers. */
export interface DocsFile {
  type: string;
  content: Buffer;
  /** Null for compressed formats. */
  gzipped: Buffer | null;
  /** Whether its name changes with its content. */
  isImmutable: boolean;
  /** Policy of a page: it allows the site's scripts, and inline scripts by their hashes. */
  policy: string | null;
}

/** The built docs, cached at the first request, so that pages and scripts come from one build. */
export class DocsSite {
  readonly #contents: Map<string, Buffer>;
  readonly #base: string;
  readonly #files = new Map<string, DocsFile>();

  private constructor(contents: Map<string, Buffer>, base: string) {
    this.#contents = contents;
    this.#base = base;
  }

  /**
   * Reads the site from its folder.
   * @param sitePath the service's path on its host, such as `/` or `/vrs`
   * @returns null if it is not built
   */
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

  /**
   * Returns the file at a path under `/docs/`. `""` is the first page. `guides/review-changes` is a page without
   * its extension.
   */
  file(path: string): DocsFile | null {
    const name = [path === "" ? "index.html" : path, `${path}.html`].find(each => this.#contents.has(each));
    return name === undefined ? null : this.#known(name);
  }

  /** The page for unknown paths. */
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

/** Prefixes the links of a file with the service's path. */
function rebased(text: string, base: string): string {
  return text.replace(/(["'`(=])\/docs\//g, (_, before: string) => before + base);
}

/** Returns the policy of a page. It allows only the site's files and the page's inline scripts. */
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
