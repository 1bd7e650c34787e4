import type { SourceElement } from "../page-change.ts";

/**
 * Records all elements at the end of the document's source. It is sent to the page as text: it must use nothing from
 * outside its body.
 */
export function listElements(): void {
  const elements: SourceElement[] = [...document.getElementsByTagName("*")].map(element => ({
    element,
    nodes: [...element.childNodes],
    text: element.textContent ?? "",
    className: element.getAttribute("class") ?? "",
    source: element.getAttribute("src") ?? "",
  }));
  Reflect.set(globalThis, Symbol.for("bench.elements"), elements);
}
