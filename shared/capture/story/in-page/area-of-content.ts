/**
 * Returns the area of what a story shows, CSS px from the top left of the page: text, images, and boxes with a
 * background, border or shadow, also outside of the story's root. Null if it shows nothing. It is sent to the page as
 * text: it must use nothing from outside its body.
 */
export function areaOfContent(): { x: number; y: number; width: number; height: number } | null {
  /** Larger stories are captured whole. */
  const MAX_NODES = 50_000;
  const REPLACED = "img, svg, canvas, video, iframe, object, embed, input, textarea, select, progress, meter";
  const SKIPPED = "script, style, link, template, [class^=sb-], #storybook-docs, #docs-root, vrs-masks";
  interface Box {
    left: number;
    top: number;
    right: number;
    bottom: number;
  }
  const unions: Box[] = [];
  let nodes = 0;
  const add = (box: Box, clip: Box | null) => {
    const left = Math.max(box.left, clip?.left ?? box.left);
    const top = Math.max(box.top, clip?.top ?? box.top);
    const right = Math.min(box.right, clip?.right ?? box.right);
    const bottom = Math.min(box.bottom, clip?.bottom ?? box.bottom);
    if (right <= left || bottom <= top) return;
    const [union] = unions;
    unions[0] = {
      left: Math.min(union?.left ?? left, left),
      top: Math.min(union?.top ?? top, top),
      right: Math.max(union?.right ?? right, right),
      bottom: Math.max(union?.bottom ?? bottom, bottom),
    };
  };
  const isClear = (color: string) => color === "transparent" || /^rgba\(.*, 0\)$|\/ 0\)$/.test(color);
  const paints = (element: Element, style: CSSStyleDeclaration): boolean => {
    if (element.matches(REPLACED)) return true;
    if (!isClear(style.backgroundColor) || style.backgroundImage !== "none") return true;
    if (style.boxShadow !== "none" || style.outlineStyle !== "none") return true;
    for (const side of ["top", "right", "bottom", "left"]) {
      const width = Number.parseFloat(style.getPropertyValue(`border-${side}-width`));
      if (width > 0 && !isClear(style.getPropertyValue(`border-${side}-color`))) return true;
    }
    return ["::before", "::after"].some(name => {
      const { content } = getComputedStyle(element, name);
      return content !== "none" && content !== "normal" && content !== '""';
    });
  };
  const nodesIn = (parent: Element): Iterable<Node> => {
    if (parent instanceof HTMLSlotElement && parent.assignedNodes().length > 0) return parent.assignedNodes();
    return (parent.shadowRoot ?? parent).childNodes;
  };
  const visit = (node: Node, clip: Box | null, isVisible: boolean): void => {
    if (++nodes > MAX_NODES) return;
    if (node instanceof Text) {
      if (!isVisible || node.data.trim() === "") return;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) add(box, clip);
      return;
    }
    if (!(node instanceof Element) || node.matches(SKIPPED)) return;
    const style = getComputedStyle(node);
    if (style.display === "none" || style.opacity === "0") return;
    const box = node.getBoundingClientRect();
    const isShown = style.visibility === "visible";
    if (isShown && style.display !== "contents" && paints(node, style)) add(box, clip);
    if (node.matches("svg")) return;
    const clips = style.overflowX !== "visible" || style.overflowY !== "visible";
    const inner = clips ? within(box, style.position === "fixed" ? null : clip) : clip;
    for (const child of nodesIn(node)) visit(child, inner, isShown);
  };
  const within = (box: Box, clip: Box | null): Box =>
    clip === null
      ? box
      : {
          left: Math.max(box.left, clip.left),
          top: Math.max(box.top, clip.top),
          right: Math.min(box.right, clip.right),
          bottom: Math.min(box.bottom, clip.bottom),
        };
  for (const child of document.body.childNodes) visit(child, null, true);
  const [area] = unions;
  if (area === undefined || nodes > MAX_NODES) return null;
  const { left, top, right, bottom } = area;
  return { x: left + scrollX, y: top + scrollY, width: right - left, height: bottom - top };
}
