/** Text of strangers, such as the path of a page, as it is: nothing of it is markup, a mention or a link. */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replaceAll(/\s+/g, " ")
      .replaceAll(/[^\p{L}\p{N} ,;=?/-]/gu, char => `&#${char.codePointAt(0)};`)
      // Without a scheme too, a host's name would become a link.
      .replaceAll("//", "/&#47;")
  );
}

/** A link of our own; its address is one that we made. */
export function link(text: string, url: string): string {
  return `<a href="${escapeAttribute(url)}">${text}</a>`;
}

/** A picture of so many px, which opens it when clicked. */
export function thumbnail(url: string, alt: string, widthPx: number): string {
  const [source, words] = [escapeAttribute(url), escapeAttribute(alt)];
  return `<a href="${source}"><img src="${source}" alt="${words}" width="${widthPx}"></a>`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll(/[&"<>|`\s]/g, char => `&#${char.codePointAt(0)};`);
}

/** Returns a part of a text that its reader opens. */
export function folded(title: string, text: string): string {
  return `<details><summary>${title}</summary>\n\n${text}\n</details>`;
}

/** As many of the lines as go into so many characters, and how many did not. */
export function fitting(lines: string[], chars: number): { lines: string[]; left: number } {
  let used = 0;
  const kept = lines.findIndex(line => {
    used += line.length + 1;
    return used > chars;
  });
  return kept === -1 ? { lines, left: 0 } : { lines: lines.slice(0, kept), left: lines.length - kept };
}
