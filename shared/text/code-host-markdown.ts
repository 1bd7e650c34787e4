import { visibleLine } from "./visible-text.ts";

/**
 * Escapes a foreign text, such as a page's path, for the code host's Markdown. It contains no markup, link,
 * mention, or reference. Entities alone don't prevent mentions, because the code host searches the rendered
 * text.
 */
export function escapeMarkdown(text: string): string {
  return entities(text)
    .replaceAll(/&#(64|35);/g, "&#$1;&#8203;")
    .replaceAll(/\b(GH)-(?=\d)/gi, "$1&#8203;-");
}

/**
 * Returns a foreign text as code. The code host doesn't look for mentions in it, and it can be copied
 * unchanged.
 */
export function code(text: string): string {
  return `<code>${entities(text)}</code>`;
}

function entities(text: string): string {
  return (
    visibleLine(text)
      .replaceAll(/[^\p{L}\p{N} ,;=?/-]/gu, character => `&#${character.codePointAt(0)};`)
      // A host name would become a link without a scheme too.
      .replaceAll("//", "/&#47;")
  );
}

/** Returns a link to one of our own URLs. */
export function link(text: string, url: string): string {
  return `<a href="${escapeAttribute(url)}">${text}</a>`;
}

/** Returns an image of a given width that links to one of our own pages. */
export function thumbnail(url: string, alt: string, widthPx: number, opens: string): string {
  const [source, words] = [escapeAttribute(url), escapeAttribute(visibleLine(alt))];
  return `<a href="${escapeAttribute(opens)}"><img src="${source}" alt="${words}" width="${widthPx}"></a>`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll(/[&"<>|`]|[^\S ]/g, character => `&#${character.codePointAt(0)};`);
}

/** Returns a collapsed section. */
export function folded(title: string, text: string): string {
  return `<details><summary>${title}</summary>\n\n${text}\n</details>`;
}
