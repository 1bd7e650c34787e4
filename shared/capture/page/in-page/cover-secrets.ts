import type { PageRecord } from "./track-page.ts";

/** An element of the page, and the texts that it shows. */
export interface ShownTexts {
  elements: Element[];
  texts: string[];
}

/**
 * Finds the elements that show texts of their own: fields with what they contain, and others with their text nodes. It
 * is sent to the page as text: it must use nothing from outside its body.
 */
export function findShownTexts(): ShownTexts {
  /** More than a viewport shows. */
  const MAX_ELEMENTS = 5_000;
  const MAX_CHARS = 10_000;
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  const openRoots = [...document.querySelectorAll("*")].flatMap(element => element.shadowRoot ?? []);
  const roots = new Set<ParentNode>([document, ...openRoots, ...(record?.roots ?? [])]);
  const elements: Element[] = [];
  const texts: string[] = [];
  for (const root of roots) {
    for (const element of root.querySelectorAll("*")) {
      const nodes = [...element.childNodes].filter(node => node instanceof Text);
      const own = nodes.map(node => node.data).join("");
      const value = Reflect.get(element, "value");
      const text = typeof value === "string" && value !== "" ? value : own;
      if (text.trim() === "" || elements.length >= MAX_ELEMENTS) continue;
      elements.push(element);
      texts.push(text.slice(0, MAX_CHARS));
    }
  }
  return { elements, texts };
}

/**
 * Covers fields for passwords and one-time codes, and these elements. It is sent to the page as text: it must use
 * nothing from outside its body.
 */
export function coverSecrets({ elements }: { elements: Element[] }, indexes: number[]): void {
  const FIELDS = "input[type=password], input[autocomplete~=one-time-code]";
  const FLAT =
    "background:#8a8f98!important;color:transparent!important;-webkit-text-fill-color:transparent!important;" +
    "text-shadow:none!important;fill:transparent!important;transition:none!important;animation:none!important";
  const covered = new Set<Element>(indexes.flatMap(index => elements[index] ?? []));
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  const openRoots = [...document.querySelectorAll("*")].flatMap(element => element.shadowRoot ?? []);
  for (const root of new Set<ParentNode>([document, ...openRoots, ...(record?.roots ?? [])]))
    for (const field of root.querySelectorAll(FIELDS)) covered.add(field);
  for (const element of covered) {
    const style = element.getAttribute("style") ?? "";
    element.setAttribute("style", `${style};${FLAT}`);
  }
}
