import { marked } from "marked";
import type { Browser } from "playwright";
import { visit } from "../drivers/browser/report-browser.ts";

/** The browser's rendering of a text that contains names. */
export interface Rendered {
  /** Every URL of a link or image. */
  links: string[];
  pictures: string[];
  /** Elements and attributes that run something. */
  active: string[];
  /** Text in which the code host looks for mentions and references: outside code and links. */
  prose: string;
  /** All text, including alternative texts and titles. */
  text: string;
  /** Cells of each row of each table. */
  rows: number[][];
  headings: string[];
  /** Requested URLs, dialogs, and errors. */
  complaints: string[];
}

/** Renders Markdown like the code host, as far as a library can. */
export async function renderMarkdown(browser: Browser, text: string): Promise<Rendered> {
  return await renderHtml(browser, await marked.parse(text, { gfm: true }));
}

/** Renders HTML in an offline browser, and returns what it found. */
export async function renderHtml(browser: Browser, html: string): Promise<Rendered> {
  await using visited = await visit(browser);
  const { page, complaints } = visited;
  const asked: string[] = [];
  await page.route("**", route => {
    asked.push(route.request().url());
    return route.abort();
  });
  await page.setContent(html);
  const found = await page.evaluate(() => {
    const all = [...document.querySelectorAll("*")];
    const textNodes: { text: string; isProse: boolean }[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      textNodes.push({
        text: node.textContent ?? "",
        isProse: !node.parentElement?.closest("code, pre, a, style, script"),
      });
    const hints = all.flatMap(each => [each.getAttribute("alt") ?? "", each.getAttribute("title") ?? ""]);
    return {
      links: [...document.links].map(({ href }) => href),
      pictures: [...document.images].map(({ src }) => src),
      active: all.flatMap(each => [
        ...(/^(script|iframe|object|embed|form|base|meta-refresh)$/.test(each.localName)
          ? [each.localName]
          : []),
        ...each.getAttributeNames().filter(name => name.startsWith("on")),
      ]),
      prose: textNodes.flatMap(({ text, isProse }) => (isProse ? [text] : [])).join("\n"),
      text: [...textNodes.map(({ text }) => text), ...hints, document.title].join("\n"),
      rows: [...document.querySelectorAll("table")].map(table =>
        [...table.rows].map(row => row.cells.length),
      ),
      headings: [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map(each => each.textContent ?? ""),
    };
  });
  const others = asked.filter(url => !found.pictures.includes(url));
  return { ...found, complaints: [...others, ...complaints.filter(each => !/ERR_FAILED/.test(each))] };
}
