/** Pages of one npm package, served under `/<name>/`. */
export interface Site {
  name: string;
  /** Of bench/package.json, which names its exact version. */
  package: string;
  /** Folder of the package that is served; empty for all of it. */
  root: string;
  /** Paths in that folder. */
  pages: string[];
  /** Pages that look complete at a glance and are still no part of the corpus. */
  excluded?: { pages: string[]; because: string }[];
  /** Files that the pages ask for and the package lacks: text, or a file of another package of the corpus. */
  supplements?: Record<string, { text: string } | { package: string; file: string }>;
}

/** Lists HTML files by their paths without the extension, separated by white space. */
export function pages(paths: string, folder = ""): string[] {
  return paths
    .trim()
    .split(/\s+/)
    .map(path => `${folder}${path}.html`);
}
