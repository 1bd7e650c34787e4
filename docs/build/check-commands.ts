import type { DocsPage } from "./docs-files.ts";

/** Pages whose first step installs the tool in the project. */
const TUTORIALS = "docs/tutorials/";
/** In the terminal, and as the command of an agent. */
const UNSAFE = /\bnpx(?:\W|\bargs\b)+vrs\b/;

/**
 * Returns lines that run vrs by npx without `--no-install`. Where vrs isn't installed, npx downloads the package of this
 * name from the registry, which can belong to another project, and runs it beside the API key.
 */
export function checkCommands(pages: DocsPage[]): string[] {
  return pages
    .filter(({ path }) => !path.startsWith(TUTORIALS))
    .flatMap(({ path, text }) =>
      text
        .split("\n")
        .flatMap((line, at) =>
          UNSAFE.test(line)
            ? [`${path}:${at + 1}: Write "npx --no-install vrs", which never runs a package of the registry.`]
            : [],
        ),
    );
}
