import type { Capsule } from "../../capture/capsule/capsule.ts";
import type { Region } from "../../compare/comparison.ts";

const NO_CLASSES: readonly string[] = [];

/** The elements of a capsule as a tree. Elements are numbers, in document order. */
export class PageTree {
  readonly capsule: Capsule;
  readonly children: number[][];
  readonly roots: number[] = [];
  /** Each style with all properties, in the order of `capsule.properties`. */
  readonly #styles: string[][];
  readonly #columns: Map<string, number>;
  readonly #attributes: (Map<string, string> | undefined)[] = [];
  /** Names of classes by the attribute, which many elements share. */
  readonly #classes = new Map<string, string[]>();
  /** Indexes of `capsule.strings` by text. */
  readonly #strings: Map<string, number>;
  /** The first element of each id. Made on the first search. */
  #byId: Map<string, number> | undefined;

  constructor(capsule: Capsule) {
    this.capsule = capsule;
    const { nodes, strings, defaults, styles } = capsule;
    this.children = nodes.parent.map(() => []);
    for (const [node, parent] of nodes.parent.entries()) {
      // A parent precedes its children. Anything else isn't written by this program.
      if (parent >= 0 && parent < node) this.children[parent]?.push(node);
      else this.roots.push(node);
    }
    this.#strings = new Map(strings.map((text, index) => [text, index]));
    this.#columns = new Map(capsule.properties.map((property, at) => [property, at]));
    const base = defaults.map(index => strings[index] ?? "");
    this.#styles = styles.map(pairs => {
      const style = [...base];
      for (let at = 0; at + 1 < pairs.length; at += 2)
        style[pairs[at] ?? 0] = strings[pairs[at + 1] ?? -1] ?? "";
      return style;
    });
  }

  get size(): number {
    return this.capsule.nodes.parent.length;
  }

  parent(node: number): number {
    return this.capsule.nodes.parent[node] ?? -1;
  }

  tag(node: number): string {
    return this.capsule.strings[this.capsule.nodes.tag[node] ?? -1] ?? "";
  }

  text(node: number): string {
    return this.capsule.strings[this.capsule.nodes.text[node] ?? -1] ?? "";
  }

  /** Returns the index of the style; -1 for an element that is not rendered. */
  styleIndex(node: number): number {
    return this.capsule.nodes.style[node] ?? -1;
  }

  /** Returns the values of all captured properties; undefined for an element that is not rendered. */
  style(index: number): readonly string[] | undefined {
    return this.#styles[index];
  }

  /** Returns a computed property; empty if it is unknown. */
  computed(node: number, property: string): string {
    return this.valueOf(this.styleIndex(node), property);
  }

  /** Returns the value of a property in a style; empty if it is unknown. @param index index of the style */
  valueOf(index: number, property: string): string {
    return this.style(index)?.[this.#columns.get(property) ?? -1] ?? "";
  }

  attribute(node: number, name: string): string {
    const pairs = this.capsule.nodes.attributes[node];
    const wanted = this.#strings.get(name);
    if (pairs === undefined || wanted === undefined) return "";
    // The last one counts, as in `attributes`.
    for (let at = (pairs.length & ~1) - 2; at >= 0; at -= 2)
      if (pairs[at] === wanted) return this.capsule.strings[pairs[at + 1] ?? -1] ?? "";
    return "";
  }

  attributes(node: number): ReadonlyMap<string, string> {
    const known = this.#attributes[node];
    if (known !== undefined) return known;
    const attributes = new Map<string, string>();
    const { strings, nodes } = this.capsule;
    const pairs = nodes.attributes[node] ?? [];
    for (let at = 0; at + 1 < pairs.length; at += 2)
      attributes.set(strings[pairs[at] ?? -1] ?? "", strings[pairs[at + 1] ?? -1] ?? "");
    this.#attributes[node] = attributes;
    return attributes;
  }

  /** Returns the first element with this id. Undefined if there is none. */
  elementById(id: string): number | undefined {
    this.#byId ??= this.#indexIds();
    return this.#byId.get(id);
  }

  #indexIds(): Map<string, number> {
    const byId = new Map<string, number>();
    for (let node = 0; node < this.size; node++) {
      const id = this.attribute(node, "id");
      if (id !== "" && !byId.has(id)) byId.set(id, node);
    }
    return byId;
  }

  classes(node: number): readonly string[] {
    const list = this.attribute(node, "class");
    if (list === "") return NO_CLASSES;
    const known = this.#classes.get(list) ?? list.split(" ");
    this.#classes.set(list, known);
    return known;
  }

  /** Returns the box of an element, CSS px of the page. */
  box(node: number): Region {
    const { boxes } = this.capsule.nodes;
    const at = node * 4;
    return {
      x: boxes[at] ?? 0,
      y: boxes[at + 1] ?? 0,
      width: boxes[at + 2] ?? 0,
      height: boxes[at + 3] ?? 0,
    };
  }

  /** Returns a short selector, such as `#banner`, `.card` or `main`. */
  name(node: number, isAlone = true): string {
    const tag = this.tag(node);
    if (tag.startsWith("::")) return `${this.name(this.parent(node), isAlone)}${tag}`;
    const id = this.attribute(node, "id");
    const classes = this.classes(node).filter(name => /^[\w-]{1,40}$/.test(name));
    if (id !== "" && /^[\w-]{1,60}$/.test(id) && (isAlone || classes.length === 0)) return `#${id}`;
    if (classes.length > 0) return `.${classes.slice(0, 2).join(".")}`;
    const testId = this.attribute(node, "data-testid");
    return testId === "" ? tag : `[data-testid="${testId}"]`;
  }
}
