import type { PageRecord } from "./track-page.ts";

/**
 * Returns the areas of the elements that match each selector, CSS px from the top left of the page, also in shadow
 * roots. Elements without a size have none. It is sent to the page as text: it must use nothing from outside its body.
 */
export function areasOfSelectors({ selectors, limit }: { selectors: string[]; limit: number }): {
  areas: { x: number; y: number; width: number; height: number }[][];
  invalidSelector: string | null;
} {
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  const openRoots = [...document.querySelectorAll("*")].flatMap(element => element.shadowRoot ?? []);
  const ownRoots = [...openRoots, ...(record?.roots ?? [])].filter(root => root.ownerDocument === document);
  const roots: (Document | ShadowRoot)[] = [document, ...new Set(ownRoots)];
  const areas: { x: number; y: number; width: number; height: number }[][] = [];
  for (const selector of selectors) {
    try {
      document.querySelector(selector);
    } catch {
      return { areas: [], invalidSelector: selector };
    }
    const found = [];
    for (const element of roots.flatMap(root => [...root.querySelectorAll(selector)])) {
      if (found.length === limit) break;
      const { left, top, width, height } = element.getBoundingClientRect();
      if (width > 0 && height > 0) found.push({ x: left + scrollX, y: top + scrollY, width, height });
    }
    areas.push(found);
  }
  return { areas, invalidSelector: null };
}
