import { cut, cutEscaped, TEXT_LIMITS } from "../text/text-limits.ts";
import { visible, visibleLine } from "../text/visible-text.ts";
import type { CardText, ChatCard } from "./chat-card.ts";
import { CHAT_TEXTS } from "./texts.ts";

const { cardTitle, cardText } = TEXT_LIMITS;

/** Returns a Google Chat message: one card, and the text that notifications show instead. */
export function googleChatBody({ title, intro, pages, left, buttons }: ChatCard): object {
  const more: CardText[][] = left > 0 ? [[{ text: CHAT_TEXTS.more(left) }]] : [];
  const paragraphs = [...intro, ...pages, ...more].map(line => ({
    textParagraph: { text: line.map(html).join("") },
  }));
  const links = buttons.map(({ label, url }) => ({ text: label, onClick: { openLink: { url } } }));
  const widgets = [...paragraphs, ...(links.length > 0 ? [{ buttonList: { buttons: links } }] : [])];
  return {
    fallbackText: googleChatText(title),
    cardsV2: [
      {
        cardId: "alert",
        card: { header: { title: cut(visibleLine(title), cardTitle) }, sections: [{ widgets }] },
      },
    ],
  };
}

/** Returns a text without effect as Google Chat's markup. It has no mentions. */
export function googleChatText(text: string): string {
  return cutEscaped(visibleLine(text), cardTitle, shown =>
    shown.replaceAll("<", "<\u200b").replaceAll(/[*_~`]/g, character => `\u200b${character}`),
  );
}

/** Card paragraphs support a few HTML elements. */
function html({ text, url, isBold }: CardText): string {
  const escaped = cutEscaped(visible(text.replaceAll(/\s+/g, " ")), cardText, escapeHtml);
  const marked = isBold ? `<b>${escaped}</b>` : escaped;
  return url === undefined ? marked : `<a href="${escapeHtml(url)}">${marked}</a>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
