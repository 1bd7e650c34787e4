import { visibleLine } from "./visible-text.ts";

/**
 * Returns a text from elsewhere, such as the path of a page, for the code host's Markdown: none of it is markup, a link,
 * a mention or a reference. Entities alone prevent no mention: the code host looks for those in the text that it shows.
 */
export function escapeMarkdown(text: string): string {
  return entities(text)
    .replaceAll(/&#(64|35);/g, "&#$1;&#8203;")
    .replaceAll(/\b(GH)-(?=\d)/gi, "$1&#8203;-");
}

/** Returns a text from elsewhere as code, in which the code host looks for no mentions: it can be copied as it is. */
export function code(text: string): string {
  return `<code>${entities(text)}</code>`;
}

function entities(text: string): string {
  return (
    visibleLine(text)
      .replaceAll(/[^\p{L}\p{N} ,;=?/-]/gu, character => `&#${character.codePointAt(0)};`)
      // Without a scheme too, a host's name would become a link.
      .replaceAll("//", "/&#47;")
  );
}

/** Returns a link of our own; its address is one that we made. */
export function link(text: string, url: string): string {
  return `<a href="${escapeAttribute(url)}">${text}</a>`;
}

/** Returns a picture of so many px, which opens a page of our own when clicked. */
export function thumbnail(url: string, alt: string, widthPx: number, opens: string): string {
  const [source, words] = [escapeAttribute(url), escapeAttribute(visibleLine(alt))];
  return `<a href="${escapeAttribute(opens)}"><img src="${source}" alt="${words}" width="${widthPx}"></a>`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll(/[&"<>|`]|[^\S ]/g, character => `&#${character.codePointAt(0)};`);
}

/** Returns a part of a text that its reader opens. */
export function folded(title: string, text: string): string {
  return `<details><summary>${title}</summary>\n\n${text}\n</details>`;
}
