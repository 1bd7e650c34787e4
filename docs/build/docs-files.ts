import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A page of the docs, or another Markdown file that people read. */
export interface DocsPage {
  /** Relative to the project's folder. */
  path: string;
  text: string;
  /** Whether a program writes it. */
  isGenerated: boolean;
}

const GENERATED = new Set(
  ["api", "benchmarks", "cli", "configuration", "errors"].map(name => `docs/reference/${name}.md`),
);
const FILES = ["docs/**/*.md", "*.md", "docker/README.md", "services/README.md", "cli/package/README.md"];

/** Reads every Markdown file that people read. */
export function readDocs(): DocsPage[] {
  return globSync(FILES, { cwd: ROOT, exclude: ["docs/.vitepress/**"] })
    .map(path => path.replaceAll("\\", "/"))
    .sort()
    .map(path => ({
      path,
      text: readFileSync(`${ROOT}/${path}`, "utf8"),
      isGenerated: GENERATED.has(path),
    }));
}
