import { timeInWords } from "../../text/dates.ts";
import { type Html, html } from "./html.ts";

/** Returns a time in UTC. The page's script shows it in the reader's time zone. */
export function renderTime(iso: string): Html {
  return html`<time datetime="${iso}">${timeInWords(iso)}</time>`;
}
