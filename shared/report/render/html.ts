import { timeInWords } from "../../text/dates.ts";
import { visible } from "../../text/visible-text.ts";

/** Safe markup. Only `html` and `json` create it. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

export type HtmlValue = Html | string | number | null | readonly HtmlValue[];

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Template tag that escapes every value for text and quoted attributes, unless it is Html. Replaces
 * characters that reverse text, except in `data:` URLs, which are long and contain none.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(markupOf)));
}

/** Returns a value for a `<script type="application/json">`, without a `<` that could end the element. */
export function json(value: unknown): Html {
  return new Html(JSON.stringify(value).replaceAll("<", "\\u003c"));
}

function markupOf(value: HtmlValue): string {
  if (value === null) return "";
  if (value instanceof Html) return value.markup;
  if (typeof value === "object") return value.map(markupOf).join("");
  const text = typeof value === "string" && !value.startsWith("data:") ? visible(value) : String(value);
  return text.replace(/[&<>"']/g, character => ENTITIES[character] ?? "");
}

/** Returns a time in UTC. The page's script shows it in the reader's time zone. */
export function renderTime(iso: string): Html {
  return html`<time datetime="${iso}">${timeInWords(iso)}</time>`;
}
