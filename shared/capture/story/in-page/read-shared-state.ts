/**
 * Returns what the stories of a page share, as text: global variables, storage, cookies, styles, and attributes of the
 * document. It differs once a story has left something for the next one. Only variables of modules are missing. It is
 * sent to the page as text: it must use nothing from outside its body.
 */
export function readSharedState(): string {
  /** Of Storybook and of vrs. */
  const isOwn = (name: string) => /^(__STORYBOOK|STORYBOOK|storybook|@storybook|vrs-|sb-|addon-)/i.test(name);
  /** Rules of libraries whose class names are hashes of the rules. More of them change no other element. */
  const HASHED = "[data-emotion]:not([data-emotion*=global]), [data-styled], [data-goober], [data-jss]";

  const globals = Object.getOwnPropertyNames(window)
    .filter(name => !isOwn(name) && !/^\d+$/.test(name))
    .map(name => {
      const value: unknown = Object.getOwnPropertyDescriptor(window, name)?.value;
      return typeof value === "object" || typeof value === "function" ? name : `${name}=${String(value)}`;
    });
  const entries = (read: () => Storage): string[] => {
    try {
      return Object.entries(read()).flatMap(([key, value]) => (isOwn(key) ? [] : `${key}=${value}`));
    } catch {
      return [];
    }
  };
  const attributes = (element: Element): string[] =>
    [...element.attributes].flatMap(({ name, value }) => {
      // Captures turn it off.
      if (name === "spellcheck") return [];
      const shown =
        name === "class"
          ? value
              .split(/\s+/)
              .filter(part => part && !isOwn(part))
              .sort()
          : [value];
      return `${name}=${shown.join(" ")}`;
    });
  const rulesOf = (sheet: CSSStyleSheet | null): number => {
    try {
      return sheet?.cssRules.length ?? 0;
    } catch {
      return 0;
    }
  };
  const isRelevant = (element: Element) =>
    !element.matches(`script, ${HASHED}`) &&
    !isOwn(element.id) &&
    // Of Storybook's highlighted elements.
    !/^\s*#storybook-/.test(element instanceof HTMLStyleElement ? element.textContent : "");
  const styles = [...document.querySelectorAll("style, link[rel~=stylesheet]")]
    .filter(isRelevant)
    .map(element => {
      const rules = element instanceof HTMLStyleElement ? rulesOf(element.sheet) : 0;
      return `${element.outerHTML} ${rules}`;
    });
  const bodies = [...document.body.children]
    .filter(element => isRelevant(element) && !isOwn(element.className))
    .map(element => `${element.tagName} ${attributes(element).join(" ")}`);
  let cookie = "";
  try {
    ({ cookie } = document);
  } catch {
    // A sandboxed document has none.
  }
  return JSON.stringify([
    globals.sort(),
    entries(() => localStorage),
    entries(() => sessionStorage),
    cookie,
    attributes(document.documentElement),
    attributes(document.body).filter(text => text !== "class="),
    styles,
    bodies,
    document.adoptedStyleSheets
      .filter(sheet => !sheet.cssRules[0]?.cssText.includes("caret-color: transparent"))
      .map(rulesOf),
  ]);
}
