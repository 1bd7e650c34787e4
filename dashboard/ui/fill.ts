import { createElement, Fragment, type ReactNode } from "react";

/** The names in a text's braces. */
type Slots<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Slots<Rest>
  : never;

/** A text of the catalogue with elements, or values that users wrote, in place of its `{names}`. */
export function fill<Text extends string>(text: Text, parts: Record<Slots<Text>, ReactNode>): ReactNode {
  const byName = new Map<string, ReactNode>(Object.entries(parts));
  return text
    .split(/\{(\w+)\}/)
    .map((piece, index) =>
      index % 2 === 0 ? piece : createElement(Fragment, { key: piece }, byName.get(piece)),
    );
}
