import { readFileSync } from "node:fs";

/** A heading of the navigation with its pages, or a page. */
interface Item {
  text: string;
  link?: string;
  items?: Item[];
  collapsed?: boolean;
}

const INDEX = new URL("../index.md", import.meta.url);

/** Returns the navigation, from the list of all pages in docs/index.md. */
export function navigation(): Item[] {
  const sections: Item[] = [];
  for (const line of readFileSync(INDEX, "utf8").split("\n")) {
    const [, heading] = /^## (.+)$/.exec(line) ?? [];
    const [, group] = /^\*\*(.+)\*\*$/.exec(line) ?? [];
    if (heading !== undefined) sections.push({ text: heading, items: [] });
    else if (group !== undefined) sections.at(-1)?.items?.push({ text: group, items: [] });
    else if (line.startsWith("- ")) itemsToFill(sections).push(...pagesOf(line));
  }
  return sections;
}

/** Returns the list that the next page belongs to: of the last group of the last section, or of that section. */
function itemsToFill(sections: Item[]): Item[] {
  const items = sections.at(-1)?.items ?? [];
  return items.findLast(({ link }) => link === undefined)?.items ?? items;
}

function pagesOf(line: string): Item[] {
  return [...line.matchAll(/\[([^\]]+)\]\(([^)]+)\.md\)/g)].map(([, text = "", link = ""]) => ({
    text: text.slice(0, 1).toUpperCase() + text.slice(1),
    link: `/${link}`,
  }));
}
