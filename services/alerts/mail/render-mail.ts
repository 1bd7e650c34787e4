import { type Html, html } from "../../../shared/report/render/html.ts";
import { visible, visibleLine } from "../../../shared/text/visible-text.ts";

/** The content of a mail as plain text. */
export interface MailContent {
  title: string;
  paragraphs: string[];
  sections?: MailSection[];
  /** The first one is the primary button. */
  buttons: MailLink[];
  /** Why the reader gets the mail, and how to unsubscribe. */
  footer: string[];
  footerLink?: MailLink;
}

/** A changed page with its images in a row, or a comment. */
export interface MailSection {
  heading: string;
  /** What a person wrote. Its lines stay lines. */
  quote?: string;
  link?: MailLink;
  images: { label: string; cid: string; url: string }[];
}

interface MailLink {
  label: string;
  url: string;
}

/** Widths in px of the text, and of one of three images in a row. */
const COLUMN = 560;
const IMAGE_WIDTH = 168;
const IMAGE_HEIGHT = 105;

const FONT = html`font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;

/** Mail programs without media queries show the light colors at the window's width. */
const STYLE = html`
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) {
  .pad { padding: 16px !important; }
  .pic { width: 33.3% !important; padding: 0 4px 0 0 !important; }
  .pic img { width: 100% !important; height: auto !important; }
  .rest { display: none !important; }
  .buttons, .buttons tbody, .buttons tr { display: block !important; }
  .button { display: block !important; width: auto !important; padding: 0 0 8px !important; }
  .button a { display: block !important; text-align: center !important; }
}
@media (prefers-color-scheme: dark) {
  .page { background: #0e1013 !important; }
  .card { background: #16191d !important; border-color: #2a2f36 !important; }
  .text { color: #e8eaed !important; }
  .quiet, .quiet a { color: #a3abb5 !important; }
  .frame { border-color: #2a2f36 !important; }
  .plain { background: #16191d !important; color: #e8eaed !important; border-color: #4a515a !important; }
}
`;

/** Renders a mail as HTML and as equivalent plain text. */
export function layOutMail(content: MailContent): { html: string; text: string } {
  const shown = inVisibleLines(content);
  return { html: asHtml(shown).markup, text: asText(shown) };
}

/** Keeps each text on one line, so that it can't look like a line of ours or change the text direction. */
function inVisibleLines({
  title,
  paragraphs,
  sections = [],
  buttons,
  footer,
  ...rest
}: MailContent): MailContent {
  return {
    ...rest,
    title: visibleLine(title),
    paragraphs: paragraphs.map(visibleLine),
    sections: sections.map(({ heading, quote, ...section }) => ({
      ...section,
      heading: visibleLine(heading),
      ...(quote !== undefined && { quote: visible(quote) }),
    })),
    buttons: buttons.map(({ label, url }) => ({ label: visibleLine(label), url })),
    footer: footer.map(visibleLine),
  };
}

function asHtml({ title, paragraphs, sections = [], buttons, footer, footerLink }: MailContent): Html {
  const text = (line: string) =>
    html`<p class="text" style="margin:0 0 12px;color:#1b1f24;font-size:14px;line-height:1.5">${line}</p>`;
  const quiet = (line: Html | string) => html`<p style="margin:0 0 4px">${line}</p>`;
  const last = footerLink
    ? [html`<a href="${footerLink.url}" style="color:#59636e">${footerLink.label}</a>`]
    : [];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f6f7f8;${FONT}">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f6f7f8"><tr><td class="pad" align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:${COLUMN + 48}px;text-align:left;${FONT}">
<tr><td class="card pad" style="background:#ffffff;border:1px solid #e3e5e8;border-radius:6px;padding:24px;overflow-wrap:anywhere;word-break:break-word">
<h1 class="text" style="margin:0 0 12px;color:#1b1f24;font-size:20px;line-height:1.3;font-weight:600">${title}</h1>
${inLines(paragraphs.map(text))}
${inLines(sections.map(sectionHtml))}
${buttonsHtml(buttons)}
</td></tr>
<tr><td class="quiet" style="padding:16px 8px 0;color:#59636e;font-size:13px;line-height:1.5;overflow-wrap:anywhere">
${inLines([...footer, ...last].map(quiet))}
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

function sectionHtml({ heading, images, quote, link }: MailSection): Html {
  const cells = images.map(
    ({ label, cid, url }) =>
      html`<td class="pic quiet" valign="top" width="${IMAGE_WIDTH}" style="padding:0 8px 0 0;color:#59636e;font-size:13px"><a href="${url}" style="color:#59636e"><img class="frame" src="cid:${cid}" width="${IMAGE_WIDTH}" height="${IMAGE_HEIGHT}" alt="${label}" style="display:block;margin:0 0 4px;box-sizing:border-box;border:1px solid #e3e5e8;border-radius:6px;font-size:13px"></a>${label}</td>`,
  );
  const row =
    cells.length === 0
      ? null
      : html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr>${cells}<td class="rest"></td></tr></table>`;
  return html`<h2 class="text" style="margin:16px 0 8px;color:#1b1f24;font-size:16px;line-height:1.4;font-weight:600">${heading}</h2>
${quote === undefined ? null : quoteHtml(quote)}${link ? linkHtml(link) : null}${row}`;
}

function quoteHtml(quote: string): Html {
  const lines = quote.split("\n").map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`));
  return html`<blockquote class="text frame" style="margin:0 0 8px;padding:0 0 0 12px;border-left:3px solid #e3e5e8;color:#1b1f24;font-size:14px;line-height:1.5">${lines}</blockquote>`;
}

function linkHtml({ label, url }: MailLink): Html {
  return html`<p class="quiet" style="margin:0 0 8px;font-size:14px"><a href="${url}" style="color:#2f6feb">${label}</a></p>`;
}

function buttonsHtml(buttons: MailLink[]): Html | null {
  const cells = buttons.map(({ label, url }, index) => {
    const colors =
      index === 0
        ? "background:#2f6feb;color:#ffffff;border:1px solid #2f6feb"
        : "background:#ffffff;color:#1b1f24;border:1px solid #c7ccd1";
    const kind = index === 0 ? null : html` class="plain"`;
    return html`<td class="button" style="padding:0 8px 0 0"><a${kind} href="${url}" style="display:inline-block;${colors};border-radius:6px;padding:9px 16px;font-size:14px;font-weight:600;text-decoration:none">${label}</a></td>`;
  });
  if (cells.length === 0) return null;
  return html`<table role="presentation" class="buttons" cellpadding="0" cellspacing="0" style="margin-top:20px"><tr>${cells}</tr></table>`;
}

function inLines(parts: Html[]): Html[] {
  return parts.map((part, index) =>
    index === 0
      ? part
      : html`
${part}`,
  );
}

function asText({ title, paragraphs, sections = [], buttons, footer, footerLink }: MailContent): string {
  const link = ({ label, url }: MailLink) => `${label}: ${url}`;
  const pages = sections.map(({ heading, images, quote, link: own }) =>
    [
      heading,
      ...(quote === undefined ? [] : quote.split("\n").map(line => `> ${line}`)),
      ...(own ? [`  ${link(own)}`] : []),
      ...imageLines(images),
    ].join("\n"),
  );
  const end = [...footer, ...(footerLink ? [link(footerLink)] : [])];
  const parts = [title, ...paragraphs, ...pages, buttons.map(link).join("\n"), `-- \n${end.join("\n")}`];
  return `${parts.filter(part => part !== "").join("\n\n")}\n`;
}

/** Returns the links of images; a single one if all lead to the same page. */
function imageLines(images: MailSection["images"]): string[] {
  const [first, ...others] = images;
  if (first && others.length > 0 && others.every(({ url }) => url === first.url)) return [`  ${first.url}`];
  return images.map(({ label, url }) => `  ${label}: ${url}`);
}
