import { CAPSULE_BOUNDS, type Capsule } from "./capsule.ts";
import { CAPTURED_PROPERTIES } from "./captured-properties.ts";

/** The part of the browser's answer to `DOMSnapshot.captureSnapshot` that is read. */
export interface Snapshot {
  documents: {
    scrollOffsetX?: number;
    scrollOffsetY?: number;
    nodes: {
      parentIndex?: number[];
      nodeType?: number[];
      nodeName?: number[];
      nodeValue?: number[];
      backendNodeId?: number[];
      attributes?: number[][];
      contentDocumentIndex?: { index: number[]; value: number[] };
      currentSourceURL?: { index: number[]; value: number[] };
    };
    layout: { nodeIndex: number[]; styles: number[][]; bounds: number[][] };
  }[];
  strings: string[];
}

type SnapshotDocument = Snapshot["documents"][number];

const ELEMENT = 1;
const TEXT = 3;
/** Elements that are never drawn, and what they contain. */
const UNDRAWN = new Set([
  "HEAD",
  "SCRIPT",
  "STYLE",
  "LINK",
  "META",
  "TEMPLATE",
  "NOSCRIPT",
  "TITLE",
  "BASE",
  "VRS-MASKS",
]);
/** What people typed is left out. */
const FORM_FIELDS = new Set(["TEXTAREA", "INPUT"]);
const KEPT_ATTRIBUTES =
  /^(?:id|class|style|role|alt|title|href|src|type|for|placeholder|name|hidden|disabled|data-(?:test|testid|test-id|qa|cy)|aria-[a-z]+)$/;

type Box = [x: number, y: number, width: number, height: number];

/** Where a text was cut. */
const CUT = "…";
/** Characters of the end of a long text. */
const TAIL_CHARS = 100;

/** Collects the layouts of a page's documents in columns. Equal texts and styles are kept once. */
export class LayoutColumns {
  readonly nodes: Capsule["nodes"] = { parent: [], tag: [], style: [], boxes: [], text: [], attributes: [] };
  readonly strings: string[] = [];
  readonly inlineSheets: string[] = [];
  isCut = false;
  /** Complete styles, as indexes of `strings`. */
  readonly #styles: number[][] = [];
  readonly #styleUses: number[] = [];
  readonly #knownStyles = new Map<string, number>();
  readonly #knownStrings = new Map<string, number>();
  /** Indexes of shortened texts, by the text's index in the snapshot that is added; -1 if not known yet. */
  #indexes = new Int32Array(0);
  /** Styles by the values in the snapshot that is added. */
  #stylesByValues = new Map<string, number>();

  /**
   * Adds the documents of a snapshot.
   * @param owner the element of the frame that shows them; null for the page itself
   * @returns the elements by their id in the browser
   */
  add({ documents, strings }: Snapshot, owner: number | null): Map<number, number> {
    const byId = new Map<number, number>();
    // Most elements share their texts and styles, and shortening them takes most of the time.
    this.#indexes = new Int32Array(strings.length).fill(-1);
    this.#stylesByValues = new Map();
    const frames: { document: number; owner: number | null }[] = [{ document: 0, owner }];
    for (let frame = frames.pop(); frame !== undefined; frame = frames.pop()) {
      const document = documents[frame.document];
      if (document === undefined) continue;
      const own = this.#addDocument(document, strings, frame.owner);
      const { index = [], value = [] } = document.nodes.contentDocumentIndex ?? {};
      for (const [at, node] of index.entries()) {
        const element = own.get(node);
        if (element !== undefined) frames.push({ document: value[at] ?? -1, owner: element });
      }
      for (const [node, element] of own) byId.set(document.nodes.backendNodeId?.[node] ?? -1, element);
    }
    return byId;
  }

  /** Returns the styles as differences from the most frequent values. */
  packedStyles(): Pick<Capsule, "properties" | "defaults" | "styles"> {
    const defaults = CAPTURED_PROPERTIES.map((_, property) => this.#mostFrequent(property));
    const styles = this.#styles.map(style =>
      style.flatMap((value, property) => (value === defaults[property] ? [] : [property, value])),
    );
    return { properties: [...CAPTURED_PROPERTIES], defaults, styles };
  }

  #mostFrequent(property: number): number {
    const uses = new Map<number, number>();
    for (const [index, style] of this.#styles.entries()) {
      const value = style[property] ?? -1;
      uses.set(value, (uses.get(value) ?? 0) + (this.#styleUses[index] ?? 0));
    }
    return [...uses].sort((a, b) => b[1] - a[1])[0]?.[0] ?? -1;
  }

  /** @returns the elements by their index in the document */
  #addDocument(document: SnapshotDocument, strings: string[], owner: number | null): Map<number, number> {
    const { nodes: found, layout } = document;
    const parents = found.parentIndex ?? [];
    const layoutOf = new Map<number, number>();
    for (const [at, node] of layout.nodeIndex.entries()) if (!layoutOf.has(node)) layoutOf.set(node, at);
    const sources = sparse(found.currentSourceURL);
    const masks = maskBoxes(document, strings, layoutOf);
    const offset = this.#offsetOf(owner, document);
    const added = new Map<number, number>();
    const skipped = new Set<number>();
    const texts = new Map<number, string[]>();
    for (const [node, parentNode] of parents.entries()) {
      const type = found.nodeType?.[node];
      const name = strings[found.nodeName?.[node] ?? -1] ?? "";
      if (type === TEXT) {
        const value = strings[found.nodeValue?.[node] ?? -1] ?? "";
        const parentName = strings[found.nodeName?.[parentNode] ?? -1];
        if (parentName === "STYLE") this.#addSheet(value);
        const at = layoutOf.get(node);
        const parent = added.get(parentNode);
        if (parent === undefined || at === undefined || FORM_FIELDS.has(parentName ?? "")) continue;
        if (value.trim() === "" || isWithin(masks, layout.bounds[at])) continue;
        texts.set(parent, [...(texts.get(parent) ?? []), value]);
        continue;
      }
      if (skipped.has(parentNode) || UNDRAWN.has(name)) {
        skipped.add(node);
        continue;
      }
      if (type !== ELEMENT) continue;
      if (this.nodes.parent.length >= CAPSULE_BOUNDS.nodes) {
        this.isCut = true;
        skipped.add(node);
        continue;
      }
      const at = layoutOf.get(node);
      const bounds = at === undefined ? undefined : layout.bounds[at];
      added.set(node, this.nodes.parent.length);
      this.nodes.parent.push(added.get(parentNode) ?? owner ?? -1);
      this.nodes.tag.push(this.#string(name.toLowerCase()));
      this.nodes.style.push(at === undefined ? -1 : this.#style(layout.styles[at] ?? [], strings));
      const [x = 0, y = 0, width = 0, height = 0] = bounds ?? [];
      this.nodes.boxes.push(rounded(x + offset.x), rounded(y + offset.y), rounded(width), rounded(height));
      const source = strings[sources.get(node) ?? -1];
      const isMasked = isWithin(masks, bounds);
      this.nodes.attributes.push(
        this.#attributes(found.attributes?.[node] ?? [], strings, { source, isMasked }),
      );
      this.nodes.text.push(-1);
    }
    for (const [node, parts] of texts) this.nodes.text[node] = this.#string(shortenedText(parts.join(" ")));
    return added;
  }

  #offsetOf(owner: number | null, { scrollOffsetX = 0, scrollOffsetY = 0 }: SnapshotDocument) {
    if (owner === null) return { x: 0, y: 0 };
    const [x = 0, y = 0] = this.nodes.boxes.slice(owner * 4, owner * 4 + 2);
    return { x: x - scrollOffsetX, y: y - scrollOffsetY };
  }

  #attributes(
    list: number[],
    strings: string[],
    { source, isMasked }: { source: string | undefined; isMasked: boolean },
  ): number[] {
    const kept: number[] = [];
    for (let at = 0; at + 1 < list.length; at += 2) {
      const name = strings[list[at] ?? -1] ?? "";
      if (!KEPT_ATTRIBUTES.test(name) || (isMasked && name !== "id" && name !== "class")) continue;
      kept.push(this.#string(name), this.#stringAt(list[at + 1] ?? -1, strings));
    }
    if (source && !isMasked) kept.push(this.#string("current-src"), this.#string(shortened(source)));
    return kept;
  }

  #addSheet(text: string): void {
    const used = this.inlineSheets.reduce((sum, sheet) => sum + sheet.length, 0);
    if (used + text.length <= CAPSULE_BOUNDS.sheetChars) this.inlineSheets.push(text);
    else this.isCut = true;
  }

  #style(values: number[], strings: string[]): number {
    const key = values.join();
    const known = this.#stylesByValues.get(key) ?? this.#newStyle(values, strings);
    this.#stylesByValues.set(key, known);
    this.#styleUses[known] = (this.#styleUses[known] ?? 0) + 1;
    return known;
  }

  #newStyle(values: number[], strings: string[]): number {
    const style = values.map(value => this.#stringAt(value, strings));
    const key = style.join();
    const known = this.#knownStyles.get(key) ?? this.#styles.length;
    if (known === this.#styles.length) {
      this.#knownStyles.set(key, known);
      this.#styles.push(style);
      this.#styleUses.push(0);
    }
    return known;
  }

  /** Returns the index of a shortened text of the snapshot. */
  #stringAt(index: number, strings: string[]): number {
    const known = this.#indexes[index] ?? -1;
    if (known !== -1) return known;
    const own = this.#string(shortened(strings[index] ?? ""));
    if (index >= 0 && index < this.#indexes.length) this.#indexes[index] = own;
    return own;
  }

  #string(text: string): number {
    const known = this.#knownStrings.get(text);
    if (known !== undefined) return known;
    this.#knownStrings.set(text, this.strings.length);
    return this.strings.push(text) - 1;
  }
}

function sparse(values: { index: number[]; value: number[] } | undefined): Map<number, number> {
  return new Map(values?.index.map((node, at) => [node, values.value[at] ?? -1]));
}

/** Returns the areas that masks of the run cover. */
function maskBoxes(
  { nodes, layout }: SnapshotDocument,
  strings: string[],
  layoutOf: Map<number, number>,
): Box[] {
  const layer = nodes.nodeName?.findLastIndex(name => strings[name] === "VRS-MASKS") ?? -1;
  if (layer === -1) return [];
  return (nodes.parentIndex ?? []).flatMap((parent, node) => {
    const [x = 0, y = 0, width = 0, height = 0] = layout.bounds[layoutOf.get(node) ?? -1] ?? [];
    return parent === layer ? [[x, y, width, height] satisfies Box] : [];
  });
}

/** Returns whether the center of the bounds is in a mask. */
function isWithin(masks: readonly Box[], bounds: number[] | undefined): boolean {
  if (bounds === undefined || masks.length === 0) return false;
  const [x = 0, y = 0, width = 0, height = 0] = bounds;
  const [centerX, centerY] = [x + width / 2, y + height / 2];
  return masks.some(
    ([left, top, wide, high]) =>
      centerX >= left && centerX <= left + wide && centerY >= top && centerY <= top + high,
  );
}

function rounded(px: number): number {
  return Math.round(px * 10) / 10;
}

/** Cuts a text. The ellipsis lets secrets be found that the cut splits. */
function shortened(text: string): string {
  const trimmed = text.length > 4 * CAPSULE_BOUNDS.chars ? text.slice(0, 4 * CAPSULE_BOUNDS.chars) : text;
  const plain = trimmed.replace(/\s+/g, " ").trim();
  return plain.length <= CAPSULE_BOUNDS.chars ? plain : plain.slice(0, CAPSULE_BOUNDS.chars) + CUT;
}

/** Cuts the middle of a long text, so that its end is compared too. The end starts with a whole word: half a URL hides tokens. */
function shortenedText(text: string): string {
  const start = shortened(text);
  if (!start.endsWith(CUT) || text.length <= CAPSULE_BOUNDS.chars) return start;
  const end = text.slice(-TAIL_CHARS).replace(/\s+/g, " ").trimEnd();
  const word = end.indexOf(" ");
  return word === -1 ? start : start + end.slice(word + 1);
}
