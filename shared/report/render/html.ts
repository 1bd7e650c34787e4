import { visible } from "../../text/visible-text.ts";

/** Markup that may stand in a page as it is; made only by `html` and `json`. */
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
 * Template tag: every value is escaped for text and for quoted attributes, unless it is Html already. Characters that
 * reverse text are replaced, except in `data:` URLs, which have none and are long.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(markupOf)));
}

/** A value as the text of a `<script type="application/json">`: no `<` is left that could end the element. */
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
