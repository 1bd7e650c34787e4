/** Pages of one npm package, served under `/<name>/`. */
export interface Site {
  name: string;
  /** A package of bench/package.json, which has its exact version. */
  package: string;
  /** Folder of the package that is served; empty for all of it. */
  root: string;
  /** Paths in that folder. */
  pages: string[];
  /** Pages that look complete but are not part of the corpus. */
  excluded?: { pages: string[]; because: string }[];
  /** Files that the pages request and the package lacks: text, or a file of another package of the corpus. */
  supplements?: Record<string, { text: string } | { package: string; file: string }>;
}

/** Lists HTML files by their paths without the extension, separated by white space. */
export function pages(paths: string, folder = ""): string[] {
  return paths
    .trim()
    .split(/\s+/)
    .map(path => `${folder}${path}.html`);
}
