import type { DocsPage } from "./docs-files.ts";

const MAX_LINES = 200;
const INDEX = "docs/index.md";
/** Pages in the docs' index. Other Markdown files aren't. */
const IS_PAGE = /^docs\/(?:tutorials|guides|reference|explanation|contributing)\//;

/** Returns problems of the pages' shape: too long, without a first sentence, or not in the index. */
export function checkPages(pages: DocsPage[]): string[] {
  const index = pages.find(({ path }) => path === INDEX)?.text ?? "";
  return pages
    .filter(({ path }) => IS_PAGE.test(path))
    .flatMap(({ path, text, isGenerated }) => [
      ...(text.split("\n").length > MAX_LINES + 1 && !isGenerated
        ? [`${path} has more than ${MAX_LINES} lines. Split it.`]
        : []),
      ...(/^# .+\n\n(?:This|In this) (?:page|guide|tutorial) /.test(text) || path.endsWith("writing.md")
        ? []
        : [`${path} doesn't start with a heading and a sentence on what it is for, as "This page lists …".`]),
      ...(index.includes(`(${path.slice("docs/".length)})`) ? [] : [`${path} isn't listed in ${INDEX}.`]),
    ]);
}
