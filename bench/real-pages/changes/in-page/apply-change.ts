import type { PageChange, SourceElement } from "../page-change.ts";

/**
 * Makes a change, in a document whose source just ended or whose elements were recorded then. Returns false when the
 * element is another one. It is sent to the page as text: it must use nothing from outside its body.
 */
export function applyChange({ index, tag, style, attributes, text, markup }: PageChange): boolean {
  const noted: SourceElement[] | undefined = Reflect.get(globalThis, Symbol.for("bench.elements"));
  const element = noted ? noted[index]?.element : document.getElementsByTagName("*")[index];
  if (element?.localName !== tag) return false;
  if (Object.keys(style).length > 0) {
    const rules = Object.entries(style).map(([name, value]) => `${name}: ${value} !important;`);
    const sheet = new CSSStyleSheet();
    sheet.insertRule(`[data-bench-change] { ${rules.join(" ")} }`);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    element.setAttribute("data-bench-change", "");
  }
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
  if (markup !== null) element.innerHTML = markup;
  if (text !== null) {
    const node = element.childNodes[text.child];
    if (!(node instanceof Text)) return false;
    node.data = text.value;
  }
  return true;
}
