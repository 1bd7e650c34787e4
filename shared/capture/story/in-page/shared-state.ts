/** The attributes of an element that stories share. */
type Attributes = Record<string, string>;

/** What the stories of a page share, before the first one was shown. Only variables of modules are missing. */
export interface SharedState {
  /** Attributes of the document's elements, where decorators set themes. `selectStory` puts them back. */
  html: Attributes;
  body: Attributes;
  /** Names of their attributes and classes that the last story that was checked had changed. */
  changed: ReadonlySet<string>;
  /** Elements beside the story, with all in them. */
  beside: ReadonlySet<Element>;
  /** Elements that came later. They belong to the last story that was checked, and end with it. */
  added: WeakSet<Element>;
  /** The others as text: global variables, storage, cookies, styles, and attributes of elements beside the story. */
  others: string;
}

/** What stories left in a page. */
export interface Leftovers {
  /**
   * Whether the story may show something of an earlier one: an element that it left beside this one, or the document
   * without an attribute that it had set. Code that sets attributes only when a value changes doesn't set them again.
   */
  isMixed: boolean;
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
  const known: SharedState | undefined = Reflect.get(globalThis, KEY);
  // The page loaded another document, which may have anything of the one before.
  if (known === undefined && !isFirst) return { isMixed: true, isLasting: true };
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
  /** Returns the attributes, and each class as one of them. */
  const partsOf = ({ class: classes = "", ...others }: Attributes) =>
    new Map<string, string>([
      ...Object.entries(others),
      ...classes.split(" ").flatMap((name): [string, string][] => (name === "" ? [] : [[`.${name}`, ""]])),
    ]);
  const changesOf = (element: Element, before: Attributes): string[] => {
    const [was, is] = [partsOf(before), partsOf(attributes(element))];
    return [...new Set([...was.keys(), ...is.keys()])]
      .filter(name => was.get(name) !== is.get(name))
      .map(name => `${element.tagName} ${name}`);
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
  const parts = elements.flatMap(element => [element, ...element.querySelectorAll("*")]).filter(isRelevant);
  const beside = known?.beside ?? new Set(parts);
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
  const added = parts.filter(element => !beside.has(element));
  const isLeft = (element: Element) => known?.added.has(element) === true;
  // Libraries keep a container for the dialogs of all stories, which is as large as the new ones in it.
  const shows = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && [...element.querySelectorAll("*")].every(isLeft);
  };
  const html = known?.html ?? attributes(document.documentElement);
  const body = known?.body ?? attributes(document.body);
  const changed = new Set([...changesOf(document.documentElement, html), ...changesOf(document.body, body)]);
  const isUnset = [...(known?.changed ?? [])].some(name => !changed.has(name));
  const isMixed = isUnset || added.some(element => isLeft(element) && shows(element));
  const left = new WeakSet(added);
  const state: SharedState = { html, body, changed, beside, added: left, others: known?.others ?? others };
  Object.defineProperty(globalThis, KEY, { value: state, configurable: true });
  return { isMixed, isLasting: others !== state.others };
}
