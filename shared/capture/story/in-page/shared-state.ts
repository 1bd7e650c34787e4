/** The attributes of an element that stories share. */
type Attributes = Record<string, string>;

/** What the stories of a page share, before the first one was shown. Only variables of modules are missing. */
export interface SharedState {
  /** Attributes of the document's elements, where decorators set themes. `selectStory` puts them back. */
  html: Attributes;
  body: Attributes;
  /** Elements beside the story. */
  beside: ReadonlySet<Element>;
  /** Elements that came later, with all in them. They belong to the last story that was checked, and end with it. */
  added: WeakSet<Element>;
  /** The others as text: global variables, storage, cookies, styles, and attributes of elements beside the story. */
  others: string;
}

/** What stories left in a page. */
export interface Leftovers {
  /** Whether an element that an earlier story left beside this one shows something. */
  isShown: boolean;
  /** Whether this story, or an earlier one, left something that `selectStory` can't put back. */
  isLasting: boolean;
}

/**
 * Remembers what the stories of a page share, or returns what they left since then. It is sent to the page as text: it
 * must use nothing from outside its body.
 * @param isFirst whether no story was shown yet
 */
export function checkSharedState(isFirst: boolean): Leftovers {
  const KEY = Symbol.for("vrs.shared");
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
  const attributes = (element: Element): Attributes => {
    const shown: Attributes = {};
    for (const { name, value } of element.attributes) {
      const others = () => value.split(/\s+/).filter(part => part && !isOwn(part));
      const text = name === "class" ? others().sort().join(" ") : value;
      // Captures turn spellcheck off.
      if (name !== "spellcheck" && (name !== "class" || text !== "")) shown[name] = text;
    }
    return shown;
  };
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
    // They end with their story.
    element.closest("#storybook-root, #root") === null &&
    // Of Storybook's highlighted elements.
    !/^\s*#storybook-/.test(element instanceof HTMLStyleElement ? element.textContent : "");
  const styles = [...document.querySelectorAll("style, link[rel~=stylesheet]")]
    .filter(isRelevant)
    .map(element => {
      const rules = element instanceof HTMLStyleElement ? rulesOf(element.sheet) : 0;
      return `${element.outerHTML} ${rules}`;
    });
  const elements = [...document.body.children].filter(
    element => isRelevant(element) && !isOwn(element.className),
  );
  let cookie = "";
  try {
    ({ cookie } = document);
  } catch {
    // A sandboxed document has none.
  }
  const known: SharedState | undefined = Reflect.get(globalThis, KEY);
  const beside = isFirst || known === undefined ? new Set(elements) : known.beside;
  const others = JSON.stringify([
    globals.sort(),
    entries(() => localStorage),
    entries(() => sessionStorage),
    cookie,
    styles,
    elements
      .filter(element => beside.has(element))
      .map(element => `${element.tagName} ${JSON.stringify(attributes(element))}`),
    document.adoptedStyleSheets
      .filter(sheet => !sheet.cssRules[0]?.cssText.includes("caret-color: transparent"))
      .map(rulesOf),
  ]);
  const added = elements
    .filter(element => !beside.has(element))
    .flatMap(element => [element, ...element.querySelectorAll("*")]);
  // Libraries keep an empty container for the dialogs of all stories.
  const shows = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return element.children.length === 0 && width > 0 && height > 0;
  };
  const isShown = added.some(element => known?.added.has(element) && shows(element));
  const state: SharedState = {
    html: known?.html ?? attributes(document.documentElement),
    body: known?.body ?? attributes(document.body),
    ...{ beside, others: known?.others ?? others, added: new WeakSet(added) },
  };
  Object.defineProperty(globalThis, KEY, { value: state, configurable: true });
  return { isShown, isLasting: others !== state.others };
}
