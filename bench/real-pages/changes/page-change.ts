/** Kinds of changes that a screenshot has to show. */
export const CHANGE_KINDS = [
  "text color",
  "padding of 1 px",
  "one word",
  "font weight",
  "removed icon or image",
  "z-order",
  "broken image",
  "changed icon",
  "opacity",
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** One change of one element, wholly decided, so that it can be made again in another browser. */
export interface PageChange {
  kind: ChangeKind;
  /** The element's place among all elements of the document, at the end of its source. */
  index: number;
  /** Its local name, to see that it is the same element. */
  tag: string;
  /** For people. */
  selector: string;
  /** Styles, which no script of the page overrules. */
  style: Record<string, string>;
  /** Attributes; null removes one. */
  attributes: Record<string, string | null>;
  /** A text node of its own: its place among the child nodes, and its new text. */
  text: { child: number; value: string } | null;
  markup: string | null;
}

/** An element as the source made it, before scripts that wait for the document have run. */
export interface SourceElement {
  element: Element;
  nodes: Node[];
  text: string;
  className: string;
  source: string;
}
