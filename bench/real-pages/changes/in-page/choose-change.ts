import type { ChangeKind, PageChange, SourceElement } from "../page-change.ts";

export interface ChooseOptions {
  kind: ChangeKind;
  /** Draws, 0–1: one for the element, one for its change. */
  draw: number;
  secondDraw: number;
  maxHeightPx: number;
}

/**
 * Draws a visible element of a stable page that this kind of change fits, and decides the change. Returns null when the
 * page has none. It skips elements that scripts created or filled after the end of the source, because the change would
 * not last there. It is sent to the page as text: it must use nothing from outside its body.
 */
export function chooseChange({ kind, draw, secondDraw, maxHeightPx }: ChooseOptions): PageChange | null {
  type Edit = Partial<Pick<PageChange, "style" | "attributes" | "text" | "markup">>;
  const SMALLEST_PX = 4;
  const ICON_PX = 64;
  /** Of 255: the next shade of gray in a design, and more than a color threshold of 0.1 ignores. */
  const COLOR_STEP = 48;
  const noted: SourceElement[] = Reflect.get(globalThis, Symbol.for("bench.elements")) ?? [];
  const width = document.documentElement.clientWidth;
  const height = Math.min(document.documentElement.scrollHeight, maxHeightPx);

  const isIcon = (element: Element) => {
    const box = element.getBoundingClientRect();
    const isSmall = box.width <= ICON_PX && box.height <= ICON_PX;
    if (element.localName === "svg") return isSmall;
    return (
      isSmall &&
      /^(i|span)$/.test(element.localName) &&
      element.childElementCount === 0 &&
      /icon|fa-|glyph|mdi/.test(element.className)
    );
  };
  const isVisible = (element: Element) => {
    const box = element.getBoundingClientRect();
    const isInside = box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height;
    const isLarge = box.width >= SMALLEST_PX && box.height >= SMALLEST_PX;
    return (
      isInside && isLarge && element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    );
  };
  const lastsIn = ({ element, nodes, text, className, source }: SourceElement) =>
    element.isConnected &&
    element.childNodes.length === nodes.length &&
    nodes.every((node, index) => node === element.childNodes[index]) &&
    (element.textContent ?? "") === text &&
    (element.getAttribute("class") ?? "") === className &&
    (element.getAttribute("src") ?? "") === source;
  const words = (element: Element) =>
    [...element.childNodes].flatMap((node, child) =>
      node instanceof Text
        ? [...node.data.matchAll(/\p{L}{3,}/gu)].map(({ 0: word, index }) => ({
            child,
            word,
            index,
            data: node.data,
          }))
        : [],
    );
  const pick = <T>(all: T[], by: number): T | undefined => all[Math.floor(by * all.length)];
  const styled = (name: string, value: string): Edit => ({ style: { [name]: value } });

  const edits: Record<ChangeKind, (element: Element, style: CSSStyleDeclaration) => Edit | null> = {
    "text color": (element, { color }) => {
      const channels = /^rgba?\((\d+), (\d+), (\d+)/.exec(color)?.slice(1).map(Number);
      if (!channels || words(element).length === 0) return null;
      const shifted = channels.map(value => (value > 127 ? value - COLOR_STEP : value + COLOR_STEP));
      return styled("color", `rgb(${shifted.join(", ")})`);
    },
    "padding of 1 px": (element, { display, paddingTop }) =>
      display === "inline" || display === "contents" || words(element).length === 0
        ? null
        : styled("padding-top", `${Number.parseFloat(paddingTop) + 1}px`),
    "one word": element => {
      const found = pick(words(element), secondDraw);
      if (!found) return null;
      const letters = [...found.word];
      const other = [...letters.slice(1), ...letters.slice(0, 1)].join("");
      if (other === found.word) return null;
      const end = found.index + found.word.length;
      const value = found.data.slice(0, found.index) + other + found.data.slice(end);
      return { text: { child: found.child, value } };
    },
    "font weight": (element, { fontWeight }) =>
      words(element).length === 0 ? null : styled("font-weight", Number(fontWeight) >= 600 ? "400" : "700"),
    "removed icon or image": element =>
      isIcon(element) || element.localName === "img" ? styled("display", "none") : null,
    "z-order": (_element, { position, zIndex }) =>
      position === "static" ? null : styled("z-index", Number(zIndex) < 0 ? "1" : "-1"),
    "broken image": element =>
      element instanceof HTMLImageElement && element.naturalWidth > 0
        ? { attributes: { src: "image-that-is-not-there.png", srcset: null } }
        : null,
    "changed icon": element => {
      if (!isIcon(element)) return null;
      const isSvg = element.localName === "svg";
      const appearance = (icon: Element) => (isSvg ? icon.innerHTML : icon.className);
      const others = noted
        .map(one => one.element)
        .filter(
          one =>
            one.localName === element.localName && isIcon(one) && appearance(one) !== appearance(element),
        );
      const other = pick(others, secondDraw);
      if (!other) return null;
      return isSvg ? { markup: other.innerHTML } : { attributes: { class: other.className } };
    },
    opacity: (element, { opacity }) =>
      words(element).length > 0 || element.localName === "img"
        ? styled("opacity", String(Number(opacity) * 0.8))
        : null,
  };

  const candidates = noted.flatMap((one, index) => {
    const { element } = one;
    if (!(element instanceof HTMLElement || element instanceof SVGElement)) return [];
    if (!document.body.contains(element) || element === document.body || !lastsIn(one) || !isVisible(element))
      return [];
    const edit = edits[kind](element, getComputedStyle(element));
    return edit === null ? [] : [{ element, index, edit }];
  });
  const chosen = pick(candidates, draw);
  if (!chosen) return null;
  const { element, index, edit } = chosen;
  const name = (one: Element) =>
    one.localName +
    (one.id && `#${one.id}`) +
    [...one.classList]
      .slice(0, 2)
      .map(each => `.${each}`)
      .join("");
  const selector = element.parentElement
    ? `${name(element.parentElement)} > ${name(element)}`
    : name(element);
  const nothing = { style: {}, attributes: {}, text: null, markup: null };
  return { ...nothing, ...edit, kind, index, tag: element.localName, selector };
}
