import type { PageRecord } from "./track-page.ts";

/** Elements in the window with texts of their own. */
export interface ShownTexts {
  elements: Element[];
  /** What the elements show, in their order. Empty for the `unread` ones. */
  texts: string[];
  /** Indexes of elements with more text than is read. */
  unread: number[];
}

/** Elements whose own styles were changed. */
export interface CoveredElements {
  elements: Element[];
  /** Their styles before; null for an element without its own. */
  styles: (string | null)[];
}

/**
 * Finds the elements in the window that show texts of their own: fields with what they contain, and others with their
 * text nodes. It is sent to the page as text: it must use nothing from outside its body.
 */
export function findShownTexts(): ShownTexts {
  /** More than a window shows. */
  const MAX_CHARS = 200_000;
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  const openRoots = [...document.querySelectorAll("*")].flatMap(element => element.shadowRoot ?? []);
  const roots = new Set<ParentNode>([document, ...openRoots, ...(record?.roots ?? [])]);
  const elements: Element[] = [];
  const texts: string[] = [];
  const unread: number[] = [];
  const range = document.createRange();
  const isInWindow = ({ left, top, right, bottom }: DOMRect) =>
    right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
  /** The text of a box can be beyond it. */
  const isShown = (node: Text) => {
    range.selectNodeContents(node);
    return [...range.getClientRects()].some(isInWindow);
  };
  let leftChars = MAX_CHARS;
  for (const root of roots) {
    for (const element of root.querySelectorAll("*")) {
      const nodes = [...element.childNodes].filter(node => node instanceof Text);
      const own = nodes.map(node => node.data).join("");
      const field = Reflect.get(element, "value");
      const value = typeof field === "string" ? field : "";
      // The chosen option is shown by its list.
      const chosen = element instanceof HTMLSelectElement ? [...element.selectedOptions] : [];
      const entered = [value, ...chosen.map(option => option.text)].join("\n");
      const text = `${entered}\n${own}`;
      if (text.trim() === "") continue;
      const isEntered = entered.trim() !== "" && isInWindow(element.getBoundingClientRect());
      if (!isEntered && !nodes.some(isShown)) continue;
      leftChars -= text.length;
      if (leftChars < 0) unread.push(elements.length);
      elements.push(element);
      texts.push(leftChars < 0 ? "" : text);
    }
  }
  return { elements, texts, unread };
}

/**
 * Covers fields for passwords and one-time codes, these elements, and those that were not read. It is sent to the page
 * as text: it must use nothing from outside its body.
 */
export function coverSecrets({ elements, unread }: ShownTexts, indexes: number[]): CoveredElements {
  const FIELDS = "input[type=password], input[autocomplete~=one-time-code]";
  const FLAT =
    "background:#8a8f98!important;color:transparent!important;-webkit-text-fill-color:transparent!important;" +
    "text-shadow:none!important;fill:transparent!important;transition:none!important;animation:none!important";
  const covered = new Set<Element>([...indexes, ...unread].flatMap(index => elements[index] ?? []));
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  const openRoots = [...document.querySelectorAll("*")].flatMap(element => element.shadowRoot ?? []);
  for (const root of new Set<ParentNode>([document, ...openRoots, ...(record?.roots ?? [])]))
    for (const field of root.querySelectorAll(FIELDS)) covered.add(field);
  const styles = [...covered].map(element => {
    const attribute = element.getAttribute("style");
    const style: unknown = Reflect.get(element, "style");
    // A form's field can have that name.
    if (!(style instanceof CSSStyleDeclaration)) {
      element.setAttribute("style", `${attribute ?? ""};${FLAT}`);
      return attribute;
    }
    const before = attribute === null ? null : style.cssText;
    // A content security policy can forbid the attribute.
    style.cssText += `;${FLAT}`;
    return before;
  });
  return { elements: [...covered], styles };
}

/** Hides the element of a frame. It is sent to the page as text: it must use nothing from outside its body. */
export function hideFrame(element: Element): CoveredElements {
  const style: CSSStyleDeclaration = Reflect.get(element, "style");
  const before = element.hasAttribute("style") ? style.cssText : null;
  style.setProperty("display", "none", "important");
  return { elements: [element], styles: [before] };
}

/** Gives elements their own styles again. It is sent to the page as text: it must use nothing from outside its body. */
export function uncover({ elements, styles }: CoveredElements): void {
  for (const [index, element] of elements.entries()) {
    const style: unknown = Reflect.get(element, "style");
    const before = styles[index] ?? null;
    if (before === null) element.removeAttribute("style");
    else if (style instanceof CSSStyleDeclaration) style.cssText = before;
    else element.setAttribute("style", before);
  }
}
