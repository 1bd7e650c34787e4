/**
 * Scrolls elements into view inside the boxes that scroll them. The page itself stays where it is. It is sent to the
 * page as text: it must use nothing from outside its body.
 */
export function revealElements(elements: Element[]): void {
  const { scrollX: left, scrollY: top } = window;
  for (const element of elements)
    element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  window.scrollTo({ left, top, behavior: "instant" });
}

/**
 * Returns the areas of elements, CSS px from the top left of the page. It is sent to the page as text: it must use
 * nothing from outside its body.
 */
export function areasOfElements(
  elements: Element[],
): { x: number; y: number; width: number; height: number }[] {
  return elements.map(element => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + scrollX, y: top + scrollY, width, height };
  });
}

/**
 * Returns the area that the window shows, CSS px from the top left of the page. It is sent to the page as text: it must
 * use nothing from outside its body.
 */
export function areaOfWindow(): { x: number; y: number; width: number; height: number } {
  return { x: scrollX, y: scrollY, width: innerWidth, height: innerHeight };
}
