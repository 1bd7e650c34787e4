/** Kinds of changes that a screenshot must show. */
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

/** One change of one element with all its details, so that it can be repeated in another browser. */
export interface PageChange {
  kind: ChangeKind;
  /** Index of the element among all elements of the document, at the end of its source. */
  index: number;
  /** Its local name, to check that it is the same element. */
  tag: string;
  /** For readers. */
  selector: string;
  /** Styles that no script of the page overrides. */
  style: Record<string, string>;
  /** Attributes; null removes one. */
  attributes: Record<string, string | null>;
  /** One of its text nodes: the index among the child nodes, and the new text. */
  text: { child: number; value: string } | null;
  markup: string | null;
}

/** An element as in the source, before scripts that wait for the document have run. */
export interface SourceElement {
  element: Element;
  nodes: Node[];
  text: string;
  className: string;
  source: string;
}
