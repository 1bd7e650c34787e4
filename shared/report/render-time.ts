import { type Html, html } from "./html.ts";

/** In UTC; the page's script says it in its reader's zone. */
export function renderTime(iso: string): Html {
  const date = new Date(iso);
  const text = Number.isNaN(date.getTime())
    ? iso
    : `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return html`<time datetime="${iso}">${text}</time>`;
}
