import type { PageRecord } from "./track-page.ts";

/** An area of the page, px from its top left. */
export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * Returns the smallest element that covers each area, as `selector (what)`, without duplicates. It is sent to the page
 * as text: it must use nothing from outside its body.
 */
export function nameElements(areas: Area[]): string[] {
  /** Shadows and rounding extend this far beyond an element's box, px. */
  const SLACK_PX = 4;
  /** Longer ids and class names are generated, and name nothing to people. */
  const MAX_NAME_CHARS = 100;
  const MAX_SELECTOR_CHARS = 500;
  const record: PageRecord | undefined = Reflect.get(globalThis, Symbol.for("vrs.page"));
  const roots: ParentNode[] = [document, ...(record?.roots ?? [])];
  const candidates = roots
    .flatMap(root => [...root.querySelectorAll("*")])
    .filter(element => element.localName !== "vrs-masks")
    .map(element => ({ element, box: element.getBoundingClientRect() }));

  const covering = (area: Area): Element => {
    let best: Element = document.documentElement;
    let bestSize = Number.POSITIVE_INFINITY;
    for (const { element, box } of candidates) {
      const covers =
        box.left + scrollX <= area.left + SLACK_PX &&
        box.top + scrollY <= area.top + SLACK_PX &&
        box.right + scrollX >= area.right - SLACK_PX &&
        box.bottom + scrollY >= area.bottom - SLACK_PX;
      const size = box.width * box.height;
      // Of equal ones, the later wins, because it is nested deeper.
      if (!covers || size > bestSize) continue;
      best = element;
      bestSize = size;
    }
    return best;
  };

  const kind = (element: Element): string => {
    const media: Record<string, string> = {
      canvas: "canvas",
      video: "video",
      img: "image",
      iframe: "frame",
      svg: "drawing",
    };
    const known = element.closest("svg") ? "drawing" : media[element.localName];
    if (known) return known;
    if (element.getAnimations({ subtree: true }).length > 0) return "animation";
    return element.children.length === 0 && element.textContent?.trim() ? "text" : "content";
  };

  const step = (element: Element): string => {
    const isShort = (name: string) => name.length <= MAX_NAME_CHARS;
    if (element.id !== "" && isShort(element.id)) return `#${CSS.escape(element.id)}`;
    const classes = [...element.classList]
      .filter(isShort)
      .slice(0, 2)
      .map(name => `.${CSS.escape(name)}`);
    return element.localName + classes.join("");
  };

  /** Returns the shortest selector that matches only this element. */
  const selector = (element: Element): string => {
    const root = element.getRootNode();
    const scope: ParentNode = root instanceof ShadowRoot ? root : document;
    let path = step(element);
    let parent = element.parentElement;
    while (path.length < MAX_SELECTOR_CHARS && scope.querySelectorAll(path).length > 1 && parent !== null) {
      path = `${step(parent)} > ${path}`;
      parent = parent.parentElement;
    }
    return root instanceof ShadowRoot ? `${selector(root.host)} ${path}` : path;
  };

  return [...new Set(areas.map(covering))].map(
    element => `${selector(element).slice(0, MAX_SELECTOR_CHARS)} (${kind(element)})`,
  );
}
