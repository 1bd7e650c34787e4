import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { Marked, type Token } from "marked";
import { anchor } from "../.vitepress/anchor.ts";
import type { DocsPage } from "./docs-files.ts";

const DOCS = "docs/";

/** Returns broken links of all pages: missing files and anchors, and pages that the built docs don't have. */
export function checkLinks(pages: DocsPage[], root: string): string[] {
  const parsed = new Map(pages.map(page => [page.path, parse(page.text)]));
  return [...parsed].flatMap(([path, { links }]) =>
    links.flatMap(link => {
      const [file = "", fragment] = link.split("#");
      const target =
        file === "" ? path : normalize(join(dirname(path), decodeURI(file))).replaceAll("\\", "/");
      if (!existsSync(join(root, target))) return [`${path}: ${link} leads to no file.`];
      if (path.startsWith(DOCS) && target.endsWith(".md") && !target.startsWith(DOCS))
        return [`${path}: ${link} leads to no page of the docs. Write the name of the file instead.`];
      const anchors = parsed.get(target)?.anchors;
      if (fragment === undefined || anchors === undefined || anchors.has(fragment)) return [];
      return [`${path}: ${link} leads to no heading.`];
    }),
  );
}

function parse(text: string): { links: string[]; anchors: Set<string> } {
  const marked = new Marked();
  const links: string[] = [];
  const anchors = new Set<string>();
  const headings: string[] = [];
  marked.walkTokens(marked.lexer(withoutFrontMatter(text)), (token: Token) => {
    if (token.type === "heading") headings.push(token.text);
    if ((token.type === "link" || token.type === "image") && !/^[a-z]+:/.test(token.href))
      links.push(token.href);
  });
  for (const heading of headings) anchors.add(unique(anchor(plain(heading)), anchors));
  return { links, anchors };
}

/** Returns a unique anchor. Code hosts number repeated headings. */
function unique(name: string, used: Set<string>): string {
  let found = name;
  for (let times = 1; used.has(found); times += 1) found = `${name}-${times}`;
  return found;
}

const plain = (heading: string) => heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");
const withoutFrontMatter = (text: string) => text.replace(/^---\n[\s\S]*?\n---\n/, "");
