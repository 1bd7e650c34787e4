/**
 * Runs in every document before the page's own scripts, and lays the page out before its load event. That begins to load
 * the fonts of its text, and the load event waits for them. The browser's own first frame comes before that event or
 * after it, by chance, so that scripts of the event would measure the page in one font or another.
 * It is sent to the page as text: it must use nothing from outside its body.
 */
export function layOutPage(): void {
  const layOut = () => {
    const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel~="stylesheet" i]')];
    // No frame shows a page without its style sheets: transitions would begin there.
    const isStyled = sheets.every(link => link.sheet !== null);
    if (isStyled && document.readyState === "interactive") document.documentElement?.getBoundingClientRect();
  };
  // The page's own listeners at the document come before those at the window.
  window.addEventListener("DOMContentLoaded", layOut);
  // What a script or a style sheet that comes later has changed.
  const onLoad = ({ target }: Event) => {
    if (target instanceof HTMLScriptElement || target instanceof HTMLLinkElement) layOut();
  };
  document.addEventListener("load", onLoad, true);
}
