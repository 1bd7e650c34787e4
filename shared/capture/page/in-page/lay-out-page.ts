/**
 * Lays the page out before its load event. It runs in every document before the page's own scripts. The layout starts
 * to load the fonts of the text, and the load event waits for them. The browser's own first frame comes before or after
 * that event by chance. Scripts of the event would then measure the page in different fonts. It is sent to the page as
 * text: it must use nothing from outside its body.
 */
export function layOutPage(): void {
  const layOut = () => {
    const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel~="stylesheet" i]')];
    // No frame shows a page without its style sheets, because transitions would start there.
    const isStyled = sheets.every(link => link.sheet !== null);
    if (isStyled && document.readyState === "interactive") document.documentElement?.getBoundingClientRect();
  };
  // The page's own listeners on the document run before those on the window.
  window.addEventListener("DOMContentLoaded", layOut);
  // Handles changes by scripts and style sheets that load later.
  const onLoad = ({ target }: Event) => {
    if (target instanceof HTMLScriptElement || target instanceof HTMLLinkElement) layOut();
  };
  document.addEventListener("load", onLoad, true);
}
